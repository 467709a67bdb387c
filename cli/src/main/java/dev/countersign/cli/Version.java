package dev.countersign.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** The version from the manifest of this jar. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    @Nullable String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"countersign " + (version == null ? "development" : version)};
  }
}
