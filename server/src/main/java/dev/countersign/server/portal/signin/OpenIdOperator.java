package dev.countersign.server.portal.signin;

import dev.countersign.server.operators.Operator;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

/** A person whom the provider has authenticated, with the operator's account. */
final class OpenIdOperator extends DefaultOidcUser {
  private static final long serialVersionUID = 1L;

  private final transient Operator operator;

  OpenIdOperator(OidcUser user, Operator operator) {
    super(user.getAuthorities(), user.getIdToken(), user.getUserInfo());
    this.operator = operator;
  }

  Operator operator() {
    return operator;
  }
}
