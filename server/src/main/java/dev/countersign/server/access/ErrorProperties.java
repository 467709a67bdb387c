package dev.countersign.server.access;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What refusals show: the settings under {@code countersign.errors}.
 *
 * @param signatureBase whether a signature that does not verify is answered with the base as the
 *     service built it; it holds nothing that the caller did not send
 */
public record ErrorProperties(@DefaultValue("true") boolean signatureBase) {}
