package dev.countersign.server.listings;

import java.time.Clock;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What all listings share.
 *
 * @param pagination how page envelopes are sent
 * @param clock the time of a creation
 * @param newId the ids of new records
 */
public record ListingSettings(PaginationProperties pagination, Clock clock, Supplier<UUID> newId) {}
