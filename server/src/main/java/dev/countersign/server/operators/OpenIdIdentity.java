package dev.countersign.server.operators;

/**
 * A person as an OpenID provider knows them. Issuer and subject together say who it is; the name is
 * only shown.
 *
 * @param issuer the provider, its {@code iss}
 * @param subject its {@code sub}, which never changes and is never given to another person
 * @param name what to call the person
 */
public record OpenIdIdentity(String issuer, String subject, String name) {

  public OpenIdIdentity {
    if (issuer.isBlank() || subject.isBlank()) {
      throw new IllegalArgumentException("an OpenID identity has an issuer and a subject");
    }
  }
}
