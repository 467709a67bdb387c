package dev.countersign.cli.profile;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.protocol.PlainText;
import java.util.Optional;

/**
 * Fills a profile with values from options, from the person's answers, or from the existing
 * profile.
 */
final class ProfileQuestions {
  private final Environment environment;
  private final Connection connection;
  private Profile profile;

  ProfileQuestions(Environment environment, Connection connection, Profile before) {
    this.environment = environment;
    this.connection = connection;
    this.profile = before;
  }

  /** Sets the base URL, and asks again if the answer is not a URL. */
  void askBaseUrl() {
    Profile before = profile;
    while (true) {
      Profile asked = ask(ProfileSetting.BASE_URL, "Base URL of the service", "");
      try {
        Urls.base(
            asked
                .value(ProfileSetting.BASE_URL)
                .orElseThrow(() -> CliException.usage("there is no base URL: give --base-url")));
        return;
      } catch (CliException mistyped) {
        if (connection.option(ProfileSetting.BASE_URL).isPresent()
            || !environment.terminal().canAsk()) {
          throw mistyped;
        }
        profile = before;
        new Output(environment).note(PlainText.compactLine(mistyped.text()));
      }
    }
  }

  /**
   * Sets one setting, and returns the profile with it.
   *
   * @param defaultValue the value if neither the person nor the profile gives a value; empty for no
   *     default
   * @throws CliException when the person ended the input; the setting is then unchanged
   */
  Profile ask(ProfileSetting setting, String question, String defaultValue) {
    Optional<String> option = connection.option(setting);
    if (option.isPresent()) {
      return set(setting, option.get());
    }
    String present = profile.value(setting).orElse(defaultValue);
    String shown = present.isEmpty() ? ": " : " [" + present + "]: ";
    String answer = answer(question + shown).strip();
    return set(setting, answer.isEmpty() ? present : answer);
  }

  private String answer(String question) {
    Optional<String> answer = environment.terminal().ask(question);
    if (answer.isEmpty() && environment.terminal().canAsk()) {
      throw new CliException(
          ExitCode.FAILED, "input_ended", "the input ended before the last question");
    }
    return answer.orElse("");
  }

  /** Copies an option into the profile without asking for it. */
  Profile take(ProfileSetting setting) {
    return set(setting, connection.option(setting).orElse(""));
  }

  private Profile set(ProfileSetting setting, String value) {
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw CliException.usage(setting.key() + " must be one line without control characters");
    }
    if (!value.isEmpty()) {
      profile = profile.with(setting, setting.isFile() ? absolute(value) : value);
    }
    return profile;
  }

  /** Makes a path absolute, because a profile can be used from any directory. */
  private String absolute(String file) {
    return file.startsWith("~/")
        ? file
        : environment.path(file).toAbsolutePath().normalize().toString();
  }
}
