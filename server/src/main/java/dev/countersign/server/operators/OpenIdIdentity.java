package dev.countersign.server.operators;

/**
 * The identity of a person at an OpenID provider. Issuer and subject together identify the person;
 * the name is only displayed.
 *
 * @param issuer the provider's {@code iss}
 * @param subject the person's {@code sub}, which never changes and is never given to another person
 * @param name the display name
 */
public record OpenIdIdentity(String issuer, String subject, String name) {

  public OpenIdIdentity {
    if (issuer.isBlank() || subject.isBlank()) {
      throw new IllegalArgumentException("an OpenID identity needs an issuer and a subject");
    }
  }
}
