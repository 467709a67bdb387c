/**
 * How operators sign in: {@link dev.countersign.server.operators.signin.SignIn} by password, else
 * by OpenID; one-time links set the first password.
 */
@NullMarked
package dev.countersign.server.operators.signin;

import org.jspecify.annotations.NullMarked;
