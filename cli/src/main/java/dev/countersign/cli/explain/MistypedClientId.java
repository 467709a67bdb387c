package dev.countersign.cli.explain;

import dev.countersign.protocol.ClientId;

/** Explains what is wrong with a mistyped clientId. Its check digits reveal the error. */
final class MistypedClientId {
  private MistypedClientId() {}

  /** Describes the error and, if a single mistake explains it, suggests the intended id. */
  static String explain(String clientId) {
    String problem = "the clientId " + clientId + " is mistyped: its check digits are wrong";
    return ClientId.suggestionFor(clientId)
        .map(meant -> problem + "; it may be " + meant + ": copy it again to be sure")
        .orElse(problem + "; copy it again: it is cl- followed by 18 digits and letters");
  }
}
