package dev.countersign.signatures.base;

/** Why a signature was not accepted. The names are stable: programs may depend on them. */
public enum VerificationFailure {
  /** Signature-Input or Signature was not sent. */
  SIGNATURE_MISSING,
  /** Signature-Input or Signature breaks the grammar of RFC 9421 section 4. */
  SIGNATURE_MALFORMED,
  /** No signature carries the label or the tag that the profile names. */
  LABEL_MISSING,
  /** Several signatures fit the profile, which expects only one signature. */
  SIGNATURE_AMBIGUOUS,
  /** The covered components are not those that the profile requires. */
  COMPONENTS_WRONG,
  /** A signature parameter is missing or has an invalid value. */
  PARAMETERS_WRONG,
  /** No key is known for the signature. */
  KEY_UNKNOWN,
  /** Profile, key and {@code alg} do not agree on one algorithm. */
  ALGORITHM_WRONG,
  /** {@code created} is older than the profile allows. */
  CREATED_TOO_OLD,
  /** {@code created} is further in the future than the profile allows for differing clocks. */
  CREATED_IN_FUTURE,
  /** {@code expires} has passed. */
  EXPIRED,
  /** Date is covered and was not sent. */
  DATE_MISSING,
  /** Date is not an HTTP date (RFC 9110 section 5.6.7). */
  DATE_MALFORMED,
  /** Date and {@code created} are not the same instant. */
  DATE_MISMATCH,
  /** There is a body but no Content-Digest. */
  DIGEST_MISSING,
  /** Content-Digest cannot be read, or lacks the required algorithm. */
  DIGEST_MALFORMED,
  /** There is a Content-Digest but no body. */
  DIGEST_UNEXPECTED,
  /** The body does not match its digest. */
  DIGEST_MISMATCH,
  /** The signature does not verify with the key. */
  SIGNATURE_MISMATCH,
  /** The nonce was used before. */
  NONCE_USED
}
