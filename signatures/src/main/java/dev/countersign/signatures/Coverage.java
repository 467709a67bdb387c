package dev.countersign.signatures;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The components that a profile requires (RFC 9421 section 1.4). A signature must cover at least
 * these components in any order, or exactly these components in this order.
 *
 * @param rules the rules in the order in which a signer writes the components
 * @param exact whether a signature must cover nothing else and keep the order
 */
record Coverage(List<Rule> rules, boolean exact) {
  private static final String CONTENT_DIGEST = "content-digest";

  /** A component, and the condition under which it is covered. */
  record Rule(ComponentIdentifier component, When when) {

    /**
     * @throws IllegalArgumentException for an impossible component
     */
    Rule {
      component.requireForm();
    }
  }

  /** The condition under which a component is covered. */
  enum When {
    ALWAYS,
    /** When the message has a body. */
    WITH_BODY,
    /** When the message has the component. */
    WHERE_SENT,
    /** When the signer chooses to cover it. */
    OPTIONAL
  }

  /** Says whether a component of this message must, may or must not be covered. */
  private enum Need {
    REQUIRED,
    EITHER,
    NONE
  }

  Coverage {
    rules = List.copyOf(rules);
  }

  /**
   * Returns a copy with one more rule at the end. If the component already has a rule, the new rule
   * replaces it. A component that is always covered stays always covered, because adding a rule
   * never weakens the profile.
   */
  Coverage with(ComponentIdentifier component, When when) {
    for (Rule rule : rules) {
      if (rule.component().equals(component)) {
        return rule.when() == When.ALWAYS ? this : replace(component, when);
      }
    }
    List<Rule> more = new ArrayList<>(rules);
    more.add(new Rule(component, when));
    return new Coverage(more, exact);
  }

  /**
   * Returns a copy in which a component is optional, if its rule has this condition; otherwise
   * returns this object.
   */
  Coverage loosen(ComponentIdentifier component, When from) {
    return rules.contains(new Rule(component, from)) ? replace(component, When.OPTIONAL) : this;
  }

  /** The first matching component that every signature must cover. */
  Optional<ComponentIdentifier> firstAlwaysCovered(Predicate<ComponentIdentifier> fits) {
    return rules.stream()
        .filter(rule -> rule.when() == When.ALWAYS)
        .map(Rule::component)
        .filter(fits)
        .findFirst();
  }

  /** Returns a copy with one rule changed, in the same order. */
  Coverage replace(ComponentIdentifier component, When when) {
    return new Coverage(
        rules.stream()
            .map(rule -> rule.component().equals(component) ? new Rule(component, when) : rule)
            .toList(),
        exact);
  }

  /** Returns a copy without the rule for a component. */
  Coverage without(ComponentIdentifier component) {
    return new Coverage(
        rules.stream().filter(rule -> !rule.component().equals(component)).toList(), exact);
  }

  Coverage exactly() {
    return new Coverage(rules, true);
  }

  /**
   * Checks the components that a signature covers.
   *
   * @throws VerificationException {@link VerificationFailure#COMPONENTS_WRONG}, with the expected
   *     components
   */
  void check(List<ComponentIdentifier> covered, HttpMessage message) {
    if (exact ? isExactly(covered, message) : hasAll(covered, message)) {
      return;
    }
    throw VerificationException.wrongCoverage(
        exact,
        ComponentIdentifier.serialize(required(message)),
        ComponentIdentifier.serialize(covered));
  }

  private boolean isExactly(List<ComponentIdentifier> covered, HttpMessage message) {
    int next = 0;
    for (Rule rule : rules) {
      Need need = need(rule, message);
      boolean isNext = next < covered.size() && covered.get(next).equals(rule.component());
      if (isNext && need != Need.NONE) {
        next++;
      } else if (need == Need.REQUIRED) {
        return false;
      }
    }
    return next == covered.size();
  }

  private boolean hasAll(List<ComponentIdentifier> covered, HttpMessage message) {
    for (Rule rule : rules) {
      if (need(rule, message) == Need.REQUIRED && !covered.contains(rule.component())) {
        return false;
      }
    }
    return true;
  }

  /** The components that a signer covers in this message. */
  List<ComponentIdentifier> toSign(HttpMessage message) {
    List<ComponentIdentifier> components = new ArrayList<>(rules.size());
    for (Rule rule : rules) {
      boolean covered =
          switch (rule.when()) {
            case ALWAYS -> true;
            case WITH_BODY -> message.bodyFraming() != BodyFraming.NONE;
            case WHERE_SENT, OPTIONAL -> rule.component().isPresentIn(message);
          };
      if (covered) {
        components.add(rule.component());
      }
    }
    return components;
  }

  /**
   * The components that a signature of this message must cover, without the optional components. A
   * refusal reports the required components, and Accept-Signature asks for them.
   */
  List<ComponentIdentifier> required(HttpMessage message) {
    List<ComponentIdentifier> components = new ArrayList<>(toSign(message));
    components.removeIf(component -> isOptional(component));
    return components;
  }

  private boolean isOptional(ComponentIdentifier component) {
    return rules.stream()
        .anyMatch(rule -> rule.component().equals(component) && rule.when() == When.OPTIONAL);
  }

  private static Need need(Rule rule, HttpMessage message) {
    return switch (rule.when()) {
      case ALWAYS -> Need.REQUIRED;
      case OPTIONAL -> Need.EITHER;
      case WHERE_SENT -> rule.component().isPresentIn(message) ? Need.REQUIRED : Need.NONE;
      case WITH_BODY -> digestNeed(message);
    };
  }

  /**
   * Returns whether Content-Digest must be covered. If the field and the framing disagree about
   * whether there is a body, Content-Digest may be covered or not, so that {@link ExpectedBody} can
   * report the real cause.
   */
  private static Need digestNeed(HttpMessage message) {
    boolean isSent = !message.fieldLines(CONTENT_DIGEST).isEmpty();
    boolean hasBody = message.bodyFraming() != BodyFraming.NONE;
    return isSent != hasBody ? Need.EITHER : isSent ? Need.REQUIRED : Need.NONE;
  }
}
