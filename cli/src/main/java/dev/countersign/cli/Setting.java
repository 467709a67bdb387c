package dev.countersign.cli;

import java.util.Arrays;
import java.util.Optional;

/** What a profile holds, under the names that it has in each of the three places. */
enum Setting {
  BASE_URL("base_url"),
  CLIENT_ID("client_id"),
  KEY("key"),
  PASSPHRASE_FILE("passphrase_file");

  private final String key;

  Setting(String key) {
    this.key = key;
  }

  static Optional<Setting> of(String key) {
    return Arrays.stream(values()).filter(setting -> setting.key.equals(key)).findFirst();
  }

  /** In the profile file. */
  String key() {
    return key;
  }

  /** In the environment. */
  String variable() {
    return "COUNTERSIGN_" + name();
  }

  /** Whether it names a file. */
  boolean isFile() {
    return this == KEY || this == PASSPHRASE_FILE;
  }

  /** On the command line. */
  String option() {
    return "--" + key.replace('_', '-');
  }
}
