/**
 * Counts of all requests: {@link dev.countersign.server.requests.statistics.Statistics} writes
 * them, {@link dev.countersign.server.requests.statistics.OverviewReader} reads them.
 */
@NullMarked
package dev.countersign.server.requests.statistics;

import org.jspecify.annotations.NullMarked;
