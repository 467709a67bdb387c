/** Client records, their keys and roles, and the registry that the access path reads. */
@NullMarked
package dev.countersign.server.clients;

import org.jspecify.annotations.NullMarked;
