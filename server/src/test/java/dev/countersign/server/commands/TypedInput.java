package dev.countersign.server.commands;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** A terminal or a pipe whose input is complete already. */
record TypedInput(InputStream input, boolean isInteractive) implements OperatorConsole {

  static TypedInput of(String typed, boolean interactive) {
    return new TypedInput(new ByteArrayInputStream(typed.getBytes(UTF_8)), interactive);
  }
}
