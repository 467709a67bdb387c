/**
 * Digest fields (RFC 9530). A digest field identifies the bytes that a message carries or
 * represents, so a signature over the field covers those bytes.
 *
 * <p>{@link dev.countersign.signatures.digest.ContentDigest} covers the content of one message;
 * {@link dev.countersign.signatures.digest.ReprDigest} covers the whole representation, of which
 * the message may carry only a part. Both types can be computed from bytes or a stream, serialized
 * and parsed. A body can be compared with them at once, or piece by piece with a {@link
 * dev.countersign.signatures.digest.DigestComparison}.
 *
 * <p>{@link dev.countersign.signatures.digest.DigestPreferences} is a field that asks the other
 * side for digests. The other side reads the field and selects the algorithm of its answer:
 *
 * <pre>{@code
 * Optional<String> answer =
 *     DigestPreferences.parse(request.fieldLines("want-content-digest"))
 *         .preferred()
 *         .map(algorithm -> ContentDigest.of(body, crypto, Set.of(algorithm)).serialize());
 * }</pre>
 *
 * <p>Only SHA-256 and SHA-512 count. A digest field must have a digest of at least one of them, and
 * every such digest must match.
 */
package dev.countersign.signatures.digest;
