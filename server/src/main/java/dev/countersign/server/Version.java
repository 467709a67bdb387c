package dev.countersign.server;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the archive's manifest. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = Application.class.getPackage().getImplementationVersion();
    return new String[] {"countersign " + (version == null ? "(not packaged)" : version)};
  }
}
