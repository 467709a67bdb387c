/** Replaces a client's key in one call, without a moment in which no key works. */
package dev.countersign.client.rotation;
