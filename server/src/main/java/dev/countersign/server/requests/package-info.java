/** What became of requests: their records, their statistics, and when keys were last used. */
@NullMarked
package dev.countersign.server.requests;

import org.jspecify.annotations.NullMarked;
