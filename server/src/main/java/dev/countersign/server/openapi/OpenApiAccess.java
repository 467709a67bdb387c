package dev.countersign.server.openapi;

/** The setting {@code countersign.openapi}: who may read the document. */
public enum OpenApiAccess {
  /** Anybody. The document contains only what partners know anyway. */
  OPEN,
  /** Every client, by a signed request. */
  SIGNED;

  /** The path of the document. */
  public static final String PATH = "/openapi.yaml";

  /**
   * Parses the setting.
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
