/**
 * The sessions of the portal, in a {@link dev.countersign.server.operators.sessions.SessionStore}.
 */
@NullMarked
package dev.countersign.server.operators.sessions;

import org.jspecify.annotations.NullMarked;
