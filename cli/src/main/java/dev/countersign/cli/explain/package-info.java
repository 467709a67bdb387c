/** Finds out why a request was refused, by comparing the signed request with the received one. */
@NullMarked
package dev.countersign.cli.explain;

import org.jspecify.annotations.NullMarked;
