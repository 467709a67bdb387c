package dev.countersign.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.Map;

/** The response of a test's server, if any: a status below 0 closes the connection without one. */
record Reply(int status, Map<String, String> headers, byte[] body) {
  static final Reply NONE = new Reply(-1, Map.of(), new byte[0]);

  static Reply json(String body) {
    return new Reply(200, Map.of("Content-Type", "application/json"), body.getBytes(UTF_8));
  }

  static Reply status(int status) {
    return new Reply(status, Map.of(), new byte[0]);
  }

  static Reply problem(int status, String members) {
    String document = "{\"status\": " + status + ", " + members + "}";
    return new Reply(
        status, Map.of("Content-Type", "application/problem+json"), document.getBytes(UTF_8));
  }

  static Reply redirect(int status, String location) {
    return status(status).with("Location", location);
  }

  Reply with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Reply(status, more, body);
  }
}
