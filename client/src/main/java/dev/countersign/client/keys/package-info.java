/** Sources of the private key: a file, a key store, a token, or the caller's own. */
package dev.countersign.client.keys;
