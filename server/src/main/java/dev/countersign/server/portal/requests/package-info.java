/** The page Requests, which shows the latest requests live and explains each refusal. */
@NullMarked
package dev.countersign.server.portal.requests;

import org.jspecify.annotations.NullMarked;
