package dev.countersign.signatures;

/** What a profile asks of a body and its Content-Digest (RFC 9421 section 7.2.8). */
enum BodyRule {
  /** A Content-Digest with sha-256 exactly when there is a body: the partner interface's rule. */
  DIGEST_EXACTLY_WITH_BODY,
  /** A body has a Content-Digest; a message without a body may have one as well. */
  DIGEST_WITH_BODY,
  /** A body may come without a Content-Digest; one that is sent is compared all the same. */
  DIGEST_OPTIONAL
}
