/**
 * The running nodes of a service: {@link dev.countersign.server.nodes.Heartbeat} writes the row of
 * this node, {@link dev.countersign.server.nodes.NodeStore} reads those of all.
 */
@NullMarked
package dev.countersign.server.nodes;

import org.jspecify.annotations.NullMarked;
