/**
 * Listings that are suggested for the tables of a database. Start with {@link
 * dev.countersign.server.listings.suggestions.ListingSuggester}. {@link
 * dev.countersign.server.listings.suggestions.SuggestionDocument} writes its suggestions as YAML.
 */
@NullMarked
package dev.countersign.server.listings.suggestions;

import org.jspecify.annotations.NullMarked;
