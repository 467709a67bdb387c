package dev.countersign.signatures;

/** A signature base and the key with which its signature has verified. */
record VerifiedBase(SignatureBase base, VerificationKey key) {}
