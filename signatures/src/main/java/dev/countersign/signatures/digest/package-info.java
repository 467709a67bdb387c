/**
 * Digest fields (RFC 9530), which say what bytes a message carries or stands for, so that a
 * signature over the field covers the bytes.
 *
 * <p>{@link dev.countersign.signatures.digest.ContentDigest} is of the content of one message,
 * {@link dev.countersign.signatures.digest.ReprDigest} of the whole representation that it may
 * carry a part of. Either is computed from bytes or a stream, written, read, and compared at once
 * or piece by piece with a {@link dev.countersign.signatures.digest.DigestComparison}. {@link
 * dev.countersign.signatures.digest.DigestPreferences} asks for them, and answers who asks:
 *
 * <pre>{@code
 * Optional<String> answer =
 *     DigestPreferences.parse(request.fieldLines("want-content-digest"))
 *         .preferred()
 *         .map(algorithm -> ContentDigest.of(body, crypto, Set.of(algorithm)).serialize());
 * }</pre>
 *
 * <p>Only SHA-256 and SHA-512 count. A field with none of them is refused, and every one that is
 * there has to match.
 */
package dev.countersign.signatures.digest;
