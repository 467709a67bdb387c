package dev.countersign.server.operators;

import dev.countersign.server.operators.Operator.Source;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ways to sign in that the configuration allows.
 *
 * @param sources the sources whose accounts may sign in
 * @param issuer the OpenID provider; accounts of other providers cannot sign in. Null if OpenID is
 *     not configured
 */
public record SignInMethods(Set<Source> sources, @Nullable String issuer) {
  /** Sign-in by password only. */
  public static final SignInMethods PASSWORDS = new SignInMethods(Set.of(Source.PASSWORD), null);

  public SignInMethods {
    sources = Set.copyOf(sources);
    if (sources.contains(Source.OPENID) != (issuer != null)) {
      throw new IllegalArgumentException("sign-in with OpenID needs an issuer");
    }
  }

  /** Allows sign-in by OpenID only. */
  public static SignInMethods openId(URI issuer) {
    return new SignInMethods(Set.of(Source.OPENID), issuer.toString());
  }

  /** Allows sign-in by password and by OpenID. */
  public static SignInMethods both(URI issuer) {
    return new SignInMethods(Set.of(Source.PASSWORD, Source.OPENID), issuer.toString());
  }

  /** Returns whether an account can sign in under this configuration. */
  boolean admit(Operator operator) {
    return operator.canSignIn()
        && sources.contains(operator.source())
        && (operator.source() != Source.OPENID
            || (issuer != null && issuer.equals(operator.issuer())));
  }
}
