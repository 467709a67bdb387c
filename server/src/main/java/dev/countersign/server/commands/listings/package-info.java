/**
 * The commands of {@code countersign listings}. {@link
 * dev.countersign.server.commands.listings.ListingCommands} lists them.
 */
@NullMarked
package dev.countersign.server.commands.listings;

import org.jspecify.annotations.NullMarked;
