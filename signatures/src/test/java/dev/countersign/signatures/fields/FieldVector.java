package dev.countersign.signatures.fields;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One case of the structured field tests of the HTTP working group. */
record FieldVector(String file, JsonNode json) {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  static List<FieldVector> in(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .flatMap(FieldVector::cases)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<FieldVector> cases(Path file) {
    String name = file.getFileName().toString();
    return JSON.readTree(file.toFile()).values().stream().map(json -> new FieldVector(name, json));
  }

  String displayName() {
    return file + ": " + json.get("name").stringValue();
  }

  boolean mustFail() {
    return json.path("must_fail").asBoolean(false);
  }

  /** The field lines, combined as in RFC 9651 4.2. */
  String raw() {
    return joined(json.get("raw"));
  }

  /** The expected serialized text: the raw one if it is already canonical. */
  String canonical() {
    return joined(json.has("canonical") ? json.get("canonical") : json.get("raw"));
  }

  JsonNode expected() {
    return json.get("expected");
  }

  VectorType type() {
    return VectorType.valueOf(json.get("header_type").stringValue().toUpperCase(Locale.ROOT));
  }

  private static String joined(JsonNode lines) {
    return String.join(", ", lines.values().stream().map(JsonNode::stringValue).toList());
  }
}
