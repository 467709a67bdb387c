package dev.countersign.server.http;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code countersign.errors}: what refusals reveal.
 *
 * @param signatureBase whether a refusal shows the signature base that the service built, if a
 *     signature does not verify; the base contains only what the caller sent
 */
public record ErrorProperties(@DefaultValue("true") boolean signatureBase) {}
