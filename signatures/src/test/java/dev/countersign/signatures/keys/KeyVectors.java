package dev.countersign.signatures.keys;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Other people's test vectors; a test that needs them is skipped where they are missing. */
final class KeyVectors {
  private KeyVectors() {}

  static JsonNode json(String folder, String file) {
    Path directory =
        Path.of(System.getProperty("countersign.vectors", "../shared/vectors"), folder);
    assumeTrue(Files.isDirectory(directory), () -> "skipped: no test vectors in " + directory);
    return new ObjectMapper().readTree(directory.resolve(file).toFile());
  }
}
