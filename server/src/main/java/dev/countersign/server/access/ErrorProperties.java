package dev.countersign.server.access;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code countersign.errors}: what refusals reveal.
 *
 * @param signatureBase whether the answer to a signature that does not verify contains the
 *     signature base that the service built; the base holds only what the caller sent
 */
public record ErrorProperties(@DefaultValue("true") boolean signatureBase) {}
