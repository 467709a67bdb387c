/**
 * Builds the text that is signed, the {@link dev.countersign.signatures.base.SignatureBase}, from
 * the components of a message (RFC 9421 section 2).
 */
package dev.countersign.signatures.base;
