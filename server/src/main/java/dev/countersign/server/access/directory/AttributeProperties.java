package dev.countersign.server.access.directory;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An attribute in the configuration, under {@code countersign.attributes}.
 *
 * @param type uuid, text or integer
 * @param many whether a client may have several values, at most 1,000
 */
public record AttributeProperties(
    @DefaultValue("") String type, @DefaultValue("false") boolean many) {}
