/** The overview: how the service is used, and what needs attention. */
@NullMarked
package dev.countersign.server.portal.overview;

import org.jspecify.annotations.NullMarked;
