package dev.countersign.server.commands.operators;

import dev.countersign.server.operators.Role;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the name of an operator's role. */
final class RoleName implements ITypeConverter<Role> {
  @Override
  public Role convert(String text) {
    return Arrays.stream(Role.values())
        .filter(role -> role.word().equals(text))
        .findFirst()
        .orElseThrow(() -> new TypeConversionException("must be " + words() + ", was " + text));
  }

  private static String words() {
    return Arrays.stream(Role.values()).map(Role::word).collect(Collectors.joining(" or "));
  }
}
