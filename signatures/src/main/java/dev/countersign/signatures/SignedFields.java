package dev.countersign.signatures;

import dev.countersign.signatures.base.SignatureBase;

/**
 * The two fields that a signature adds to a message (RFC 9421 section 4), and the text that was
 * signed.
 *
 * @param signatureInput the value of Signature-Input
 * @param signature the value of Signature
 * @param base the signature base, to print when a verifier refuses the signature
 */
public record SignedFields(String signatureInput, String signature, SignatureBase base) {}
