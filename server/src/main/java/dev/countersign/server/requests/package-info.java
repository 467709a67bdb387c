/** Records and statistics of requests, and when keys were last used. */
@NullMarked
package dev.countersign.server.requests;

import org.jspecify.annotations.NullMarked;
