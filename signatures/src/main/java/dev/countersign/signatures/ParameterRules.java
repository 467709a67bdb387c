package dev.countersign.signatures;

import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.fields.StringItem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The signature parameters and algorithms that a profile requires (RFC 9421 sections 1.4 and
 * 3.2.1).
 *
 * @param required parameters that must be present
 * @param forbidden parameters that must be absent
 * @param algorithms the algorithms that are accepted
 * @param paramsAsReceived whether {@code @signature-params} may be signed as spelled in
 *     Signature-Input
 */
record ParameterRules(
    Set<String> required,
    Set<String> forbidden,
    Set<SignatureAlgorithm> algorithms,
    boolean paramsAsReceived) {

  /** The parameters that a signer sends even if they are not required, unless forbidden. */
  private static final Set<String> SENT_BY_DEFAULT = Set.of("created", "keyid");

  /**
   * The parameters that cannot be forbidden while they are required, each with the method that
   * allows it to be missing.
   */
  private static final Map<String, String> ALLOWANCES =
      Map.of("created", "allowMissingCreated()", "keyid", "allowMissingKeyid()");

  ParameterRules {
    union(required, forbidden).forEach(Label::check);
    required = Set.copyOf(required);
    forbidden = Set.copyOf(forbidden);
    algorithms = Set.copyOf(algorithms);
  }

  static ParameterRules requiring(String... names) {
    return new ParameterRules(Set.of(names), Set.of(), registeredAlgorithms(), false);
  }

  /** RFC 9421 section 3.3.7: a JWS algorithm is used only if both sides agree on it. */
  private static Set<SignatureAlgorithm> registeredAlgorithms() {
    Set<SignatureAlgorithm> registered = EnumSet.allOf(SignatureAlgorithm.class);
    registered.removeIf(algorithm -> algorithm.registeredName().isEmpty());
    return registered;
  }

  ParameterRules withRequired(Collection<String> names) {
    return new ParameterRules(
        union(required, names), minus(forbidden, names), algorithms, paramsAsReceived);
  }

  ParameterRules withForbidden(Collection<String> names) {
    ALLOWANCES.forEach(
        (name, allowance) -> {
          if (names.contains(name) && required.contains(name)) {
            throw new IllegalArgumentException(
                name + " is required; call " + allowance + " before you forbid it");
          }
        });
    return new ParameterRules(
        minus(required, names), union(forbidden, names), algorithms, paramsAsReceived);
  }

  ParameterRules withoutRequired(String name) {
    return new ParameterRules(
        minus(required, List.of(name)), forbidden, algorithms, paramsAsReceived);
  }

  ParameterRules withAlgorithms(Collection<SignatureAlgorithm> allowed) {
    if (allowed.isEmpty()) {
      throw new IllegalArgumentException("a profile needs an algorithm");
    }
    return new ParameterRules(required, forbidden, Set.copyOf(allowed), paramsAsReceived);
  }

  ParameterRules withParamsAsReceived() {
    return new ParameterRules(required, forbidden, algorithms, true);
  }

  /**
   * The only value that {@code alg} can have; empty if the profile accepts several algorithms, or
   * only a JWS algorithm.
   */
  Optional<String> onlyAlg() {
    return algorithms.size() == 1
        ? algorithms.iterator().next().registeredName()
        : Optional.empty();
  }

  /**
   * Returns whether a signer sends a parameter. A signer sends the required parameters, and sends
   * {@code created} and {@code keyid} unless they are forbidden.
   */
  boolean isSent(String name) {
    return required.contains(name) || (SENT_BY_DEFAULT.contains(name) && !forbidden.contains(name));
  }

  /**
   * Checks that a signer sends every required parameter. Otherwise, this profile would refuse the
   * message.
   *
   * @throws IllegalArgumentException when the signer does not know how to set a required parameter
   */
  void requireAll(SignatureParameters parameters) {
    for (String name : required) {
      if (!parameters.has(name)) {
        throw new IllegalArgumentException(
            "the profile requires the parameter "
                + name
                + "; sign with a SignatureInput that has it");
      }
    }
  }

  private static Set<String> union(Set<String> names, Collection<String> more) {
    Set<String> union = new LinkedHashSet<>(names);
    union.addAll(more);
    return union;
  }

  private static Set<String> minus(Set<String> names, Collection<String> fewer) {
    Set<String> rest = new LinkedHashSet<>(names);
    fewer.forEach(rest::remove);
    return rest;
  }

  /**
   * Checks the parameters of a signature. The types of the parameters have already been checked.
   *
   * @param tag the value that {@code tag} must have; empty if there is no requirement
   * @throws VerificationException {@link VerificationFailure#PARAMETERS_WRONG} or {@link
   *     VerificationFailure#ALGORITHM_WRONG}
   */
  void check(SignatureParameters parameters, Optional<String> tag) {
    for (String name : required) {
      if (!parameters.has(name)) {
        throw wrong(
            "the signature parameter " + name + " is missing; " + requiredNames() + " required");
      }
    }
    for (String name : forbidden) {
      if (parameters.has(name)) {
        throw wrong("the signature parameter " + name + " must not be sent");
      }
    }
    if (tag.isPresent() && !tag.equals(parameters.tag())) {
      throw wrong("tag must be \"" + tag.get() + "\", was " + shown(parameters.tag()));
    }
    if (parameters.alg().isPresent()) {
      checkAlg(parameters.alg().get());
    }
  }

  /** The required parameters with their verb, such as {@code created and keyid are}. */
  private String requiredNames() {
    List<String> names = new ArrayList<>();
    for (String name : SignatureParameters.NAMES) {
      if (required.contains(name)) {
        names.add(name);
      }
    }
    required.stream().filter(name -> !names.contains(name)).sorted().forEach(names::add);
    int last = names.size() - 1;
    return last == 0
        ? names.get(0) + " is"
        : String.join(", ", names.subList(0, last)) + " and " + names.get(last) + " are";
  }

  private void checkAlg(String alg) {
    for (SignatureAlgorithm algorithm : algorithms) {
      if (algorithm.isNamed(alg)) {
        return;
      }
    }
    String expected =
        algorithms.stream()
            .flatMap(algorithm -> algorithm.registeredName().stream())
            .sorted()
            .map(name -> '"' + name + '"')
            .collect(Collectors.joining(" or "));
    throw new VerificationException(
        VerificationFailure.ALGORITHM_WRONG,
        "alg must "
            + (expected.isEmpty()
                ? "not be sent"
                : "be " + expected + ", the algorithm of the registered key")
            + ", was "
            + new StringItem(alg).serialize());
  }

  private static String shown(Optional<String> text) {
    return text.map(value -> new StringItem(value).serialize()).orElse("not sent");
  }

  private static VerificationException wrong(String message) {
    return new VerificationException(VerificationFailure.PARAMETERS_WRONG, message);
  }
}
