/** The pages about the people who run the service. */
@NullMarked
package dev.countersign.server.portal.operators;

import org.jspecify.annotations.NullMarked;
