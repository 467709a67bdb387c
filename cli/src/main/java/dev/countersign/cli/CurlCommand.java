package dev.countersign.cli;

import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ShellWord;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A signed request as a {@code curl} command that can be pasted into a POSIX shell. */
final class CurlCommand {
  private CurlCommand() {}

  /**
   * Writes the command, one option per line.
   *
   * @param data the body as typed, {@code @FILE} for a file
   */
  static String of(HttpRequest signed, Optional<String> data, Environment environment) {
    String url = signed.uri().toString();
    List<String> lines = new ArrayList<>();
    lines.add("curl" + options(signed.method(), url, data.isPresent()) + " " + quoted(url));
    signed
        .headers()
        .map()
        .forEach(
            (name, values) ->
                values.forEach(value -> lines.add("  -H " + quoted(field(name, value)))));
    data.filter(typed -> !typed.isEmpty())
        .ifPresent(typed -> lines.add("  --data-binary " + quoted(expandHome(typed, environment))));
    return String.join(" \\\n", lines);
  }

  /**
   * Writes a header for curl. A header without a value ends with a semicolon, because curl omits a
   * header that is only a name and a colon.
   */
  private static String field(String name, String value) {
    return value.isEmpty() ? name + ";" : name + ": " + value;
  }

  private static String options(String method, String url, boolean hasData) {
    StringBuilder options = new StringBuilder();
    // With --head, curl sends no body.
    if (method.equals("HEAD") && !hasData) {
      options.append(" --head");
    } else if (!method.equals("GET") || hasData) {
      options.append(" --request ").append(quoted(method));
    }
    // The URL must be sent as signed: curl must neither expand brackets nor resolve dots.
    if (url.matches(".*[\\[\\]{}].*")) {
      options.append(" --globoff");
    }
    if (url.contains("/.")) {
      options.append(" --path-as-is");
    }
    return options.toString();
  }

  private static String expandHome(String typed, Environment environment) {
    return typed.startsWith("@~/") ? "@" + environment.path(typed.substring(1)) : typed;
  }

  private static String quoted(String word) {
    return ShellWord.line(List.of(word));
  }
}
