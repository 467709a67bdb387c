/**
 * The text that is signed, {@link dev.countersign.signatures.base.SignatureBase}, and the
 * components of a message that it consists of (RFC 9421 section 2).
 */
package dev.countersign.signatures.base;
