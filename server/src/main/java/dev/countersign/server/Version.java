package dev.countersign.server;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the archive's manifest. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {"countersign " + number()};
  }

  /** The number alone, or that there is none. */
  static String number() {
    String version = Application.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
