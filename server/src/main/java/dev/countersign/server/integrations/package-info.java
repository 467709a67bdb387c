/** The API through which a client rotates its own key. */
@NullMarked
package dev.countersign.server.integrations;

import org.jspecify.annotations.NullMarked;
