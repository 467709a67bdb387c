package dev.countersign.server.portal.signin;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

/** Reads the groups of a person from a claim: a list of texts, or one text. */
final class OpenIdGroups {
  private OpenIdGroups() {}

  static Set<String> of(OidcUser user, String claim) {
    Object groups = user.getClaims().get(claim);
    if (groups instanceof Collection<?> several) {
      return several.stream().map(String::valueOf).collect(Collectors.toUnmodifiableSet());
    }
    return groups instanceof String one ? Set.of(one) : Set.of();
  }
}
