/** Sign-in to the portal, its access rules, and the security headers of its answers. */
@NullMarked
package dev.countersign.server.portal.signin;

import org.jspecify.annotations.NullMarked;
