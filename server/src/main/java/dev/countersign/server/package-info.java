/** The service: its configuration and the composition of its features. */
@NullMarked
package dev.countersign.server;

import org.jspecify.annotations.NullMarked;
