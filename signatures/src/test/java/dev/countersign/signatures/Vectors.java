package dev.countersign.signatures;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Third-party test vectors, which are kept beside the project and are not part of it. */
public final class Vectors {

  private static final String PROPERTY = "countersign.vectors";

  private Vectors() {}

  /** Returns a folder of vectors; if it is missing, the calling test is skipped with a message. */
  public static Path folder(String name) {
    Path root = Path.of(System.getProperty(PROPERTY, "../../shared/vectors"));
    Path folder = root.resolve(name).toAbsolutePath().normalize();
    assumeTrue(
        Files.isDirectory(folder),
        () -> "no test vectors in " + folder + ": put them there, or set -D" + PROPERTY + "=…");
    return folder;
  }

  /** Reads a file of vectors as JSON. */
  @SuppressWarnings("exports") // a test class of a named module, Jackson on the class path
  public static JsonNode json(String folder, String file) {
    return new ObjectMapper().readTree(folder(folder).resolve(file).toFile());
  }
}
