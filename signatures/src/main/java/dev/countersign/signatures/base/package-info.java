/**
 * The {@link dev.countersign.signatures.base.SignatureBase}, which is the text that is signed, and
 * the components of a message from which it is made (RFC 9421 section 2).
 */
package dev.countersign.signatures.base;
