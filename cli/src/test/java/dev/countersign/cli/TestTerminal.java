package dev.countersign.cli;

import dev.countersign.cli.terminal.Terminal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A user at a terminal with prepared answers. */
public final class TestTerminal implements Terminal {
  private final Deque<String> answers;

  public TestTerminal(String... answers) {
    this.answers = new ArrayDeque<>(List.of(answers));
  }

  @Override
  public boolean isStandardOutputTerminal() {
    return true;
  }

  @Override
  public boolean isStandardErrorTerminal() {
    return true;
  }

  @Override
  public boolean canAsk() {
    return true;
  }

  @Override
  public Optional<String> ask(String question) {
    return Optional.ofNullable(answers.poll());
  }

  @Override
  public Optional<char[]> askSecret(String question) {
    return ask(question).map(String::toCharArray);
  }
}
