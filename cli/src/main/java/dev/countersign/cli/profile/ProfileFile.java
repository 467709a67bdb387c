package dev.countersign.cli.profile;

import dev.countersign.cli.captured.FileFailure;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The file of profiles: sections {@code [name]} with lines {@code key = value}, and comments after
 * {@code #} or {@code ;} at the start of a line, in UTF-8. Any other line is an error with its line
 * number, because ignoring a mistyped key could send requests to the wrong place.
 */
final class ProfileFile {
  static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  private final Path path;
  private final List<String> lines;
  private final Map<String, Profile> profiles = new LinkedHashMap<>();

  private ProfileFile(Path path, List<String> lines) {
    this.path = path;
    this.lines = lines;
  }

  /**
   * The location of the file: COUNTERSIGN_CONFIG_FILE, or else under XDG_CONFIG_HOME, or else under
   * ~/.config.
   */
  static Path location(Environment environment) {
    return environment
        .variable("COUNTERSIGN_CONFIG_FILE")
        .map(environment::path)
        .orElseGet(() -> folder(environment).resolve("config"));
  }

  private static Path folder(Environment environment) {
    return environment
        .variable("XDG_CONFIG_HOME")
        .map(environment::path)
        .orElseGet(() -> environment.home().get().resolve(".config"))
        .resolve("countersign");
  }

  /** Reads a file; a missing file has no profiles. */
  static ProfileFile read(Path path) {
    try {
      return parse(path, Files.readAllLines(path));
    } catch (NoSuchFileException none) {
      return new ProfileFile(path, List.of());
    } catch (IOException failed) {
      throw new CliException(
          ExitCode.USAGE,
          "profile_unreadable",
          path + " cannot be read: " + FileFailure.text(failed),
          failed);
    }
  }

  static ProfileFile parse(Path path, List<String> lines) {
    ProfileFile file = new ProfileFile(path, List.copyOf(lines));
    String section = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.startsWith("[")) {
        section = file.open(line, i + 1);
      } else if (isSetting(line)) {
        file.set(section, line, i + 1);
      }
    }
    return file;
  }

  Path path() {
    return path;
  }

  /**
   * The profile with this name, or an empty profile if there is none. Relative file names are
   * resolved against the directory of this file.
   */
  Profile profile(String name) {
    Profile profile = asWritten(name);
    for (ProfileSetting setting : ProfileSetting.values()) {
      String value = profile.value(setting).orElse("");
      if (setting.isFile() && !value.isEmpty() && !value.startsWith("~/")) {
        profile =
            profile.with(
                setting, path.toAbsolutePath().resolveSibling(value).normalize().toString());
      }
    }
    return profile;
  }

  private Profile asWritten(String name) {
    return profiles.getOrDefault(name, Profile.empty(name));
  }

  boolean has(String name) {
    return profiles.containsKey(name);
  }

  List<String> names() {
    return new ArrayList<>(profiles.keySet());
  }

  /**
   * Returns the lines of the file with this profile added. If the file already has a profile with
   * the same name, the new settings replace the old ones. Comments stay.
   */
  List<String> linesWith(Profile profile) {
    List<String> changed = new ArrayList<>();
    String section = "";
    for (String line : lines) {
      String stripped = line.strip();
      section = stripped.startsWith("[") ? sectionName(stripped) : section;
      if (!section.equals(profile.name()) || !isSetting(stripped)) {
        changed.add(line);
      }
      if (stripped.startsWith("[") && section.equals(profile.name())) {
        changed.addAll(settings(profile));
      }
    }
    if (!has(profile.name())) {
      if (!changed.isEmpty()) {
        changed.add("");
      }
      changed.add("[" + profile.name() + "]");
      changed.addAll(settings(profile));
    }
    return changed;
  }

  private static List<String> settings(Profile profile) {
    return Arrays.stream(ProfileSetting.values())
        .filter(setting -> profile.value(setting).isPresent())
        .map(setting -> setting.key() + " = " + profile.value(setting).orElseThrow())
        .toList();
  }

  private static boolean isSetting(String line) {
    return !line.isEmpty() && "#;[".indexOf(line.charAt(0)) < 0;
  }

  private static String sectionName(String line) {
    return line.endsWith("]") ? line.substring(1, line.length() - 1).strip() : "";
  }

  private String open(String line, int number) {
    String name = sectionName(line);
    if (!NAME.matcher(name).matches()) {
      throw malformed(number, line, "a section is [name], with letters, digits, '.', '_' and '-'");
    }
    if (has(name)) {
      throw malformed(number, line, "this section already exists");
    }
    profiles.put(name, Profile.empty(name));
    return name;
  }

  private void set(String section, String line, int number) {
    int equals = line.indexOf('=');
    ProfileSetting setting =
        ProfileSetting.of(line.substring(0, Math.max(equals, 0)).strip()).orElse(null);
    String value = line.substring(equals + 1).strip();
    if (section.isEmpty()) {
      throw malformed(number, line, "a [section] line must come first, such as [default]");
    }
    if (setting == null || value.isEmpty()) {
      throw malformed(number, line, "a line is key = value, where key is one of " + keys());
    }
    if (asWritten(section).value(setting).isPresent()) {
      throw malformed(number, line, setting.key() + " is already set in [" + section + "]");
    }
    profiles.put(section, asWritten(section).with(setting, value));
  }

  private static String keys() {
    return Arrays.stream(ProfileSetting.values())
        .map(ProfileSetting::key)
        .collect(Collectors.joining(", "));
  }

  private CliException malformed(int number, String line, String rule) {
    return new CliException(
        ExitCode.USAGE,
        "profile_malformed",
        path + " line " + number + ": '" + line + "': " + rule);
  }
}
