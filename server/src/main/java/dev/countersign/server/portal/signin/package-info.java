/** The portal's door: who signs in, how, and what every answer forbids a browser to do. */
@NullMarked
package dev.countersign.server.portal.signin;

import org.jspecify.annotations.NullMarked;
