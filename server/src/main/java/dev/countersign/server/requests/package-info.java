/**
 * Stores a record of each request and the last use of each key. {@link
 * dev.countersign.server.requests.RequestHistory} writes both; {@link
 * dev.countersign.server.requests.RequestRecordStore} reads the records.
 */
@NullMarked
package dev.countersign.server.requests;

import org.jspecify.annotations.NullMarked;
