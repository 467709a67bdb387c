/** The page Requests: the latest requests, live, and why each refused one was refused. */
@NullMarked
package dev.countersign.server.portal.requests;

import org.jspecify.annotations.NullMarked;
