/** Replaces the key of a client in one call, without a moment in which none works. */
package dev.countersign.client.rotation;
