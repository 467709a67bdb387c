/** Where the private key comes from: a file, a key store, a token, or something of one's own. */
package dev.countersign.client.keys;
