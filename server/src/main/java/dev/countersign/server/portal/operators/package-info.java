/** The pages about operators. */
@NullMarked
package dev.countersign.server.portal.operators;

import org.jspecify.annotations.NullMarked;
