package dev.countersign.server.requests;

import org.jspecify.annotations.Nullable;

/**
 * All that is kept of one request. Its texts are what callers sent: escape them.
 *
 * @param request the row of the list
 * @param target path and query as called, up to 2,048 characters
 * @param detail what the caller was told of the refusal
 * @param expected the components required, for {@code components_wrong}
 * @param received the components that came, for {@code components_wrong}
 * @param signatureBase as the service built it, for {@code signature_mismatch}
 * @param keyFingerprint of the key that verified
 * @param userAgent up to 200 characters
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
