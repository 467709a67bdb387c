package dev.countersign.release;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** A third-party package of Node.js, installed into the build's folder once. */
final class NpmPackage {
  private NpmPackage() {}

  /**
   * Returns the folder from which a script can require the package. Without Node.js, npm or its
   * registry the test is skipped.
   */
  static Path install(String name, String version) throws IOException, InterruptedException {
    Command.skipWithout("node");
    Command.skipWithout("npm");
    Path folder = Path.of("target", "npm", name + "-" + version).toAbsolutePath();
    Path complete = folder.resolve("complete");
    if (!Files.exists(complete)) {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("package.json"), "{\"private\": true}");
      Command.Outcome installed =
          Command.in(
                  folder,
                  "npm",
                  "install",
                  "--ignore-scripts",
                  "--no-audit",
                  "--no-fund",
                  "--fetch-retries=0",
                  "--fetch-timeout=30000",
                  name + "@" + version)
              .run();
      assumeTrue(
          installed.exit() == 0, name + " " + version + " cannot be installed: " + installed.err());
      Files.createFile(complete);
    }
    return folder;
  }

  /** Copies a script of these tests to where it finds the package. */
  static Path script(Path folder, String name) throws IOException {
    Path script = folder.resolve(name);
    try (var in = NpmPackage.class.getResourceAsStream(name)) {
      Files.write(script, Objects.requireNonNull(in, name).readAllBytes());
    }
    return script;
  }
}
