package dev.countersign.signatures;

import dev.countersign.signatures.base.SignatureBase;

/** A signature base, and the key that verified its signature. */
record VerifiedBase(SignatureBase base, VerificationKey key) {}
