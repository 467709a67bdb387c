package dev.countersign.cli.profile;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** One section of the profile file, with its settings. */
record Profile(String name, Map<ProfileSetting, String> values) {
  static final String DEFAULT = "default";

  Profile {
    values = Map.copyOf(values);
  }

  static Profile empty(String name) {
    return new Profile(name, Map.of());
  }

  Optional<String> value(ProfileSetting setting) {
    return Optional.ofNullable(values.get(setting));
  }

  Profile with(ProfileSetting setting, String value) {
    Map<ProfileSetting, String> changed = new EnumMap<>(ProfileSetting.class);
    changed.putAll(values);
    changed.put(setting, value);
    return new Profile(name, changed);
  }
}
