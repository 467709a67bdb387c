package dev.countersign.signatures;

import dev.countersign.signatures.base.ComponentIdentifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * One change to an exchange on its way, and the components of the request that it affects: derived
 * from RFC 9421 by hand, not by the library.
 *
 * @param names derived components and fields whose value changes
 * @param to makes the change
 */
record MessageChange(String what, Set<String> names, UnaryOperator<GeneratedExchange> to) {

  /** Returns whether a component of the request has another value after this change. */
  boolean shows(ComponentIdentifier component) {
    return names.contains(component.name() + parameterOf(component));
  }

  /** The parameter that selects a part of a field or of the query, such as {@code ;key="a"}. */
  private static String parameterOf(ComponentIdentifier component) {
    String parameters = component.parameters().serialize().replace(";req", "");
    return parameters.startsWith(";key") || parameters.startsWith(";name") ? parameters : "";
  }

  static List<MessageChange> toRequest(GeneratedExchange exchange) {
    List<MessageChange> changes = new ArrayList<>();
    changes.add(
        new MessageChange("method", Set.of("@method"), e -> e.withMethod(e.method() + "X")));
    changes.add(
        new MessageChange(
            "scheme",
            Set.of("@scheme", "@target-uri"),
            e -> e.withScheme(e.scheme().equals("https") ? "http" : "https")));
    changes.add(
        new MessageChange(
            "authority",
            Set.of("@authority", "@target-uri"),
            e -> e.withAuthority("x" + e.authority())));
    changes.add(
        new MessageChange(
            "path",
            Set.of("@path", "@target-uri", "@request-target"),
            e -> e.withPath(e.path() + "/x")));
    changes.add(
        new MessageChange(
            "one more parameter",
            Set.of("@query", "@target-uri", "@request-target"),
            e -> e.withParameter("another", "1")));
    exchange.query().keySet().forEach(name -> changes.add(parameter(name)));
    exchange.fields().forEach((name, lines) -> changes.addAll(field(name, lines)));
    changes.add(dictionaryMember("a"));
    changes.add(dictionaryMember("b"));
    return changes;
  }

  private static MessageChange parameter(String name) {
    return new MessageChange(
        "parameter " + name,
        Set.of("@query", "@target-uri", "@request-target", "@query-param;name=\"" + name + '"'),
        e -> e.withParameter(name, e.query().get(name) + "x"));
  }

  private static List<MessageChange> field(String name, List<String> lines) {
    if (name.equals("x-dict") || name.equals("content-digest")) {
      return List.of();
    }
    List<MessageChange> changes = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      List<String> others = new ArrayList<>(lines);
      others.set(i, lines.get(i) + "x");
      changes.add(
          new MessageChange(
              "line " + i + " of " + name, Set.of(name), e -> e.withField(name, others)));
    }
    List<String> more = new ArrayList<>(lines);
    more.add("");
    changes.add(
        new MessageChange("an empty line of " + name, Set.of(name), e -> e.withField(name, more)));
    return changes;
  }

  /** The field x-dict is {@code a=1, b=2} in every exchange. */
  private static MessageChange dictionaryMember(String key) {
    Map<String, String> other = Map.of("a", "a=7, b=2", "b", "a=1, b=7");
    return new MessageChange(
        "member " + key,
        Set.of("x-dict", "x-dict;key=\"" + key + '"'),
        e -> e.withField("x-dict", List.of(other.get(key))));
  }
}
