/** Replaces a client's key in one call. The client has a working key at every moment. */
package dev.countersign.client.rotation;
