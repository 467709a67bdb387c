/** Numbers for a monitoring system, which never say who a client is. */
@NullMarked
package dev.countersign.server.metrics;

import org.jspecify.annotations.NullMarked;
