package dev.countersign.signatures;

/** A signature base, and the key that verified its signature. */
record VerifiedBase(SignatureBase base, VerificationKey key) {}
