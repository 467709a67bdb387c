/**
 * The clients as the access path sees them: a {@link
 * dev.countersign.server.access.directory.ClientDirectory} finds each with its keys and
 * permissions.
 */
@NullMarked
package dev.countersign.server.access.directory;

import org.jspecify.annotations.NullMarked;
