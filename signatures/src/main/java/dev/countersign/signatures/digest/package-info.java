/**
 * Digest fields (RFC 9530). A digest field identifies the bytes that a message carries or
 * represents, so a signature over the field covers those bytes.
 *
 * <p>{@link dev.countersign.signatures.digest.ContentDigest} covers the content of one message;
 * {@link dev.countersign.signatures.digest.ReprDigest} covers the whole representation, of which
 * the message may carry only a part. Both can be computed from bytes or a stream, written and read.
 * They are compared at once, or piece by piece with a {@link
 * dev.countersign.signatures.digest.DigestComparison}. {@link
 * dev.countersign.signatures.digest.DigestPreferences} asks the other side for digests, and answers
 * such requests:
 *
 * <pre>{@code
 * Optional<String> answer =
 *     DigestPreferences.parse(request.fieldLines("want-content-digest"))
 *         .preferred()
 *         .map(algorithm -> ContentDigest.of(body, crypto, Set.of(algorithm)).serialize());
 * }</pre>
 *
 * <p>Only SHA-256 and SHA-512 count. A field must have at least one of them, and each one that it
 * has must match.
 */
package dev.countersign.signatures.digest;
