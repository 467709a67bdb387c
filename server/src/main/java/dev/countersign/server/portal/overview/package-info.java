/** The first page: how the service is used, and what needs a look. */
@NullMarked
package dev.countersign.server.portal.overview;

import org.jspecify.annotations.NullMarked;
