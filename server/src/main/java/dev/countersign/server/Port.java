package dev.countersign.server;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the number of a TCP port, 0 for any free one. */
final class Port implements ITypeConverter<Integer> {
  private static final int LARGEST = 65_535;

  @Override
  public Integer convert(String text) {
    int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : -1;
    if (port < 0 || port > LARGEST) {
      throw new TypeConversionException("must be 0 to " + LARGEST + ", was " + text);
    }
    return port;
  }
}
