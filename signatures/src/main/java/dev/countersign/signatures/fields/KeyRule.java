package dev.countersign.signatures.fields;

/** The one rule for the keys of parameters and of dictionaries. */
final class KeyRule {

  private KeyRule() {}

  // RFC 9651 4.1.1.3
  static String check(String key) {
    boolean valid = !key.isEmpty() && Ascii.isKeyStart(key.charAt(0));
    for (int i = 1; valid && i < key.length(); i++) {
      valid = Ascii.isKeyPart(key.charAt(i));
    }
    if (!valid) {
      throw new IllegalArgumentException(
          "a key must be a lower-case letter or '*', then lower-case letters, digits or _-.*,"
              + " was '"
              + Ascii.printable(key)
              + "'");
    }
    return key;
  }
}
