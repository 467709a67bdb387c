package dev.countersign.cli.profile;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** One section of the profile file, with its settings. */
record Profile(String name, Map<Setting, String> values) {
  static final String DEFAULT = "default";

  Profile {
    values = Map.copyOf(values);
  }

  static Profile empty(String name) {
    return new Profile(name, Map.of());
  }

  Optional<String> value(Setting setting) {
    return Optional.ofNullable(values.get(setting));
  }

  Profile with(Setting setting, String value) {
    Map<Setting, String> changed = new EnumMap<>(Setting.class);
    changed.putAll(values);
    changed.put(setting, value);
    return new Profile(name, changed);
  }
}
