/**
 * Adapts Tomcat to the service's checks. Start with {@link
 * dev.countersign.server.tomcat.StrictAdapter}, which refuses requests that HTTP forbids but Tomcat
 * accepts.
 */
@NullMarked
package dev.countersign.server.tomcat;

import org.jspecify.annotations.NullMarked;
