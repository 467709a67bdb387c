package dev.countersign.server.listings;

import dev.countersign.server.listings.totals.Totals;
import java.time.Clock;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The settings that all listings share.
 *
 * @param pagination the settings that decide which members a page has
 * @param clock the clock for generated creation times
 * @param newId generates the ids of new records
 * @param totals counts the records of lists, or remembers their number
 */
public record ListingSettings(
    PaginationProperties pagination, Clock clock, Supplier<UUID> newId, Totals totals) {}
