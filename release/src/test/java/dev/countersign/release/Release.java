package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/** The packaged release, as the tests of this package run it. */
final class Release {
  private Release() {}

  /** The root of the source tree. */
  static Path sources() {
    return Path.of(System.getProperty("countersign.root"));
  }

  /** The release as a directory. */
  static Path directory() {
    return Path.of(System.getProperty("countersign.release"));
  }

  /** The release as an archive. */
  static Path archive() {
    return directory().resolveSibling(directory().getFileName() + ".tar.gz");
  }

  /** Copies the release, to be run as its user would run it. */
  static Path copyTo(Path target) throws IOException {
    copy(directory(), target);
    assertThat(target.resolve("countersign")).isExecutable();
    return target;
  }

  /** Copies a folder with its content. */
  static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(folder).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(
                file,
                to.resolve(from.relativize(file).toString()),
                StandardCopyOption.COPY_ATTRIBUTES);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
