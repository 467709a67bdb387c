package dev.countersign.server.commands.operators;

import dev.countersign.server.operators.OperatorRole;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the name of an operator's role. */
final class RoleName implements ITypeConverter<OperatorRole> {
  @Override
  public OperatorRole convert(String text) {
    return Arrays.stream(OperatorRole.values())
        .filter(role -> role.word().equals(text))
        .findFirst()
        .orElseThrow(() -> new TypeConversionException("must be " + words() + ", was " + text));
  }

  private static String words() {
    return Arrays.stream(OperatorRole.values())
        .map(OperatorRole::word)
        .collect(Collectors.joining(" or "));
  }
}
