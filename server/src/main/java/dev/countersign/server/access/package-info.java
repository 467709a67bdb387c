/**
 * The path from an unverified request to a caller that handlers may trust. Start with {@link
 * dev.countersign.server.access.RequestAuthenticator}, which runs the checks in their order. The
 * {@link dev.countersign.server.access.Operation} that the request asks for receives a {@link
 * dev.countersign.server.access.SignedRequest}.
 */
@NullMarked
package dev.countersign.server.access;

import org.jspecify.annotations.NullMarked;
