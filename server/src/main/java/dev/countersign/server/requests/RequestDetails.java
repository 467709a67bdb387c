package dev.countersign.server.requests;

import org.jspecify.annotations.Nullable;

/**
 * Everything that is stored about one request. The texts come from callers: escape them.
 *
 * @param request the row in the list of requests
 * @param target the path and query of the request, up to 2,048 characters
 * @param detail the explanation of the refusal that the caller received
 * @param expected the required components, for the reason {@code components_wrong}
 * @param received the covered components, for the reason {@code components_wrong}
 * @param signatureBase the signature base that the service built, for the reason {@code
 *     signature_mismatch}
 * @param keyFingerprint the fingerprint of the key that verified the request
 * @param userAgent the User-Agent header, up to 200 characters
 */
public record RequestDetails(
    RequestRecord request,
    String target,
    @Nullable String detail,
    @Nullable String expected,
    @Nullable String received,
    @Nullable String signatureBase,
    @Nullable String keyFingerprint,
    @Nullable String userAgent) {}
