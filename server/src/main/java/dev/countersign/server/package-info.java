/** The service: configuration and composition of its features. */
@NullMarked
package dev.countersign.server;

import org.jspecify.annotations.NullMarked;
