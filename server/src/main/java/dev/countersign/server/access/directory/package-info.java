/**
 * The access path's view of the clients. A {@link
 * dev.countersign.server.access.directory.ClientDirectory} finds a client with its keys and
 * permissions.
 */
@NullMarked
package dev.countersign.server.access.directory;

import org.jspecify.annotations.NullMarked;
