package dev.countersign.server;

import picocli.CommandLine.IVersionProvider;

/** Reads the version from the archive's manifest. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {"countersign " + number()};
  }

  /** Returns the version number, or a text if there is none. */
  static String number() {
    String version = Application.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
