/**
 * Records of requests and the last use of keys. {@link
 * dev.countersign.server.requests.RequestHistory} opens and writes them, {@link
 * dev.countersign.server.requests.RequestRecordStore} reads them.
 */
@NullMarked
package dev.countersign.server.requests;

import org.jspecify.annotations.NullMarked;
