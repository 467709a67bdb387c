/** The API with which a client changes its own record: it rotates its key. */
@NullMarked
package dev.countersign.server.integrations;

import org.jspecify.annotations.NullMarked;
