package dev.countersign.server.commands.clients;

import dev.countersign.server.access.directory.AttributeSetting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that sets the attributes of a client. */
final class AttributeOptions {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--attribute",
      paramLabel = "NAME=VALUE",
      description =
          "A value of an attribute from the configuration; repeatable. NAME=* admits every value,"
              + " so an attribute cannot have the value * itself.")
  private List<String> attributes = List.of();

  /** Returns the settings by the names of the attributes; empty if the option was not given. */
  Map<String, AttributeSetting> settings() {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String attribute : attributes) {
      int equals = attribute.indexOf('=');
      if (equals < 1) {
        throw refused("--attribute must be NAME=VALUE, such as customerId=4711");
      }
      values
          .computeIfAbsent(attribute.substring(0, equals), name -> new ArrayList<>())
          .add(attribute.substring(equals + 1));
    }
    Map<String, AttributeSetting> settings = new LinkedHashMap<>();
    values.forEach((name, given) -> settings.put(name, setting(name, given)));
    return settings;
  }

  private AttributeSetting setting(String name, List<String> values) {
    if (!values.contains(AttributeSetting.WILDCARD)) {
      return AttributeSetting.of(values);
    }
    if (values.size() > 1) {
      throw refused("attribute " + name + ": give either * or values");
    }
    return AttributeSetting.EVERYTHING;
  }

  private ParameterException refused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
