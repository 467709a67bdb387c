package dev.countersign.server.openapi;

/** Who may read the document: the setting {@code countersign.openapi}. */
public enum OpenApiAccess {
  /** Everybody; it holds no more than partners are told anyway. */
  OPEN,
  /** Every client, by a signed request. */
  SIGNED;

  /** Where the document is. */
  public static final String PATH = "/openapi.yaml";

  /**
   * Reads the setting.
   *
   * @throws IllegalArgumentException for any other word
   */
  public static OpenApiAccess parse(String setting) {
    return switch (setting) {
      case "open" -> OPEN;
      case "signed" -> SIGNED;
      default ->
          throw new IllegalArgumentException(
              "countersign.openapi must be open or signed, was " + setting);
    };
  }
}
