package dev.countersign.cli.explain;

import dev.countersign.protocol.ClientId;

/** Says what is wrong with a clientId that was copied wrongly, by its check digits. */
final class MistypedClientId {
  private MistypedClientId() {}

  /** What is wrong and, where one slip explains it, the id that was probably meant. */
  static String explain(String clientId) {
    String what = "the clientId " + clientId + " is mistyped, its check digits do not fit";
    return ClientId.meantBy(clientId)
        .map(meant -> what + ": it may be " + meant + ", copy it again to be sure")
        .orElse(what + ": copy it again, it is cl- and 18 digits and letters");
  }
}
