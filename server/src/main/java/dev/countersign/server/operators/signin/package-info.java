/**
 * Sign-in of operators. {@link dev.countersign.server.operators.signin.SignIn} signs in by
 * password, {@link dev.countersign.server.operators.signin.OpenIdAccounts} by OpenID Connect. A
 * one-time link sets the first password.
 */
@NullMarked
package dev.countersign.server.operators.signin;

import org.jspecify.annotations.NullMarked;
