/** The operator's portal: its pages, its sign-in, and the door that they are behind. */
@NullMarked
package dev.countersign.server.portal;

import org.jspecify.annotations.NullMarked;
