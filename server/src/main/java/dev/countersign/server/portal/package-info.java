/** The operator's portal: its pages, its sign-in, and the web server that serves it. */
@NullMarked
package dev.countersign.server.portal;

import org.jspecify.annotations.NullMarked;
