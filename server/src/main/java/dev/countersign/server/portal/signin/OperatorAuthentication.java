package dev.countersign.server.portal.signin;

import dev.countersign.server.operators.Operator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** An operator who has signed in. Holds no password and no token. */
final class OperatorAuthentication extends AbstractAuthenticationToken {
  private static final long serialVersionUID = 1L;

  private final transient Operator operator;

  OperatorAuthentication(Operator operator) {
    super(List.of(new SimpleGrantedAuthority("ROLE_" + operator.role().name())));
    this.operator = operator;
    setAuthenticated(true);
  }

  @Override
  public Operator getPrincipal() {
    return operator;
  }

  @Override
  public @Nullable Object getCredentials() {
    return null;
  }

  @Override
  public String getName() {
    return operator.name();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OperatorAuthentication that && operator.equals(that.operator);
  }

  @Override
  public int hashCode() {
    return Objects.hash(operator);
  }
}
