/**
 * Adapts Tomcat to the checks. {@link dev.countersign.server.tomcat.StrictAdapter} refuses what
 * HTTP forbids and Tomcat accepts.
 */
@NullMarked
package dev.countersign.server.tomcat;

import org.jspecify.annotations.NullMarked;
