/** Sources of the private key: a file, a key store, a token, or the caller's own code. */
package dev.countersign.client.keys;
