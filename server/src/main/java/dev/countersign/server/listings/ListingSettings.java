package dev.countersign.server.listings;

import dev.countersign.server.listings.totals.Totals;
import java.time.Clock;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The settings that all listings share.
 *
 * @param pagination the settings of page envelopes
 * @param clock the clock for creation times
 * @param newId generates the ids of new records
 * @param totals counts the lists
 */
public record ListingSettings(
    PaginationProperties pagination, Clock clock, Supplier<UUID> newId, Totals totals) {}
