/**
 * The configuration file and its errors. Start with {@link
 * dev.countersign.server.config.Configuration}, which reads it.
 */
@NullMarked
package dev.countersign.server.config;

import org.jspecify.annotations.NullMarked;
