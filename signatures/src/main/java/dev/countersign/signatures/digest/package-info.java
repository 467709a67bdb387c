/** Digests of message content (RFC 9530). */
package dev.countersign.signatures.digest;
