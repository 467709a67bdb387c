/**
 * The path of a request around the checks: Tomcat and its adaptation, the filter that requires a
 * signature, the answers to refused requests, and the log. Start with {@link
 * dev.countersign.server.http.SignatureFilter}.
 */
@NullMarked
package dev.countersign.server.http;

import org.jspecify.annotations.NullMarked;
