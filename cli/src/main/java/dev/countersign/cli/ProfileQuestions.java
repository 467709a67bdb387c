package dev.countersign.cli;

import java.util.Optional;
import java.util.Set;

/** Fills a profile: from options, else from the person, else as it was. */
final class ProfileQuestions {
  private static final Set<Setting> FILES = Set.of(Setting.KEY, Setting.PASSPHRASE_FILE);

  private final Environment environment;
  private final Connection connection;
  private Profile profile;

  ProfileQuestions(Environment environment, Connection connection, Profile before) {
    this.environment = environment;
    this.connection = connection;
    this.profile = before;
  }

  /**
   * Settles one setting and gives the profile with it.
   *
   * @param usual where neither the person nor the profile says anything; empty for none
   */
  Profile ask(Setting setting, String question, String usual) {
    Optional<String> option = connection.option(setting);
    if (option.isPresent()) {
      return set(setting, option.get());
    }
    String present = profile.value(setting).orElse(usual);
    String shown = present.isEmpty() ? ": " : " [" + present + "]: ";
    String answer = environment.terminal().ask(question + shown).map(String::strip).orElse("");
    String value = answer.isEmpty() ? present : answer;
    if (value.isEmpty() && setting == Setting.BASE_URL) {
      throw Failure.usage("there is no base URL: give --base-url");
    }
    return set(setting, value);
  }

  /** Takes an option into the profile without asking for it. */
  Profile take(Setting setting) {
    return set(setting, connection.option(setting).orElse(""));
  }

  private Profile set(Setting setting, String value) {
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw Failure.usage(setting.key() + " must be one line without control characters");
    }
    if (!value.isEmpty()) {
      profile = profile.with(setting, FILES.contains(setting) ? fromAnywhere(value) : value);
    }
    return profile;
  }

  /** A profile is used in other folders than the one in which it was written. */
  private String fromAnywhere(String file) {
    return file.startsWith("~/")
        ? file
        : environment.path(file).toAbsolutePath().normalize().toString();
  }
}
