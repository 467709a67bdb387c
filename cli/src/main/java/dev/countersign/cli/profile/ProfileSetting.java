package dev.countersign.cli.profile;

import java.util.Arrays;
import java.util.Optional;

/**
 * The settings of a profile, with their names in the profile file, in the environment and on the
 * command line.
 */
public enum ProfileSetting {
  BASE_URL("base_url"),
  CLIENT_ID("client_id"),
  KEY("key"),
  PASSPHRASE_FILE("passphrase_file");

  private final String key;

  ProfileSetting(String key) {
    this.key = key;
  }

  public static Optional<ProfileSetting> of(String key) {
    return Arrays.stream(values()).filter(setting -> setting.key.equals(key)).findFirst();
  }

  /** The name in the profile file. */
  public String key() {
    return key;
  }

  /** The name of the environment variable. */
  public String variable() {
    return "COUNTERSIGN_" + name();
  }

  /** Returns whether the value is the name of a file. */
  boolean isFile() {
    return this == KEY || this == PASSPHRASE_FILE;
  }

  /** The name of the command-line option. */
  public String option() {
    return "--" + key.replace('_', '-');
  }
}
