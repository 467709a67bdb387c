package dev.countersign.cli.profile;

import java.nio.file.Path;

/** The path of the public half of a key file: {@code partner.pub} beside {@code partner.key}. */
public final class PublicKeyPath {
  private PublicKeyPath() {}

  public static Path beside(Path key) {
    String name = String.valueOf(key.getFileName());
    String stem = name.endsWith(".key") ? name.substring(0, name.length() - 4) : name;
    return key.resolveSibling(stem + ".pub");
  }
}
