/**
 * The command {@code countersign} and the composition of the service. Start with {@link
 * dev.countersign.server.app.Application}, the root command, and {@link
 * dev.countersign.server.app.ServiceConfiguration}, which creates the parts.
 */
@NullMarked
package dev.countersign.server.app;

import org.jspecify.annotations.NullMarked;
