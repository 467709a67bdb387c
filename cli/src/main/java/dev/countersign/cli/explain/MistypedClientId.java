package dev.countersign.cli.explain;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Finds a clientId that was copied wrongly by its check digits.
 *
 * <p>A generated clientId is {@code cl-}, 16 random digits of Crockford's base 32 and 2 check
 * digits, the random ones read as a number modulo 1021. Ids of other forms have none.
 */
final class MistypedClientId {
  private static final String PREFIX = "cl-";
  private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int LENGTH = 18;
  private static final int MODULUS = 1021;

  private MistypedClientId() {}

  /** Whether an id was meant to be a generated one and is none. */
  static boolean is(String clientId) {
    return clientId.regionMatches(true, 0, PREFIX, 0, PREFIX.length())
        && !(clientId.startsWith(PREFIX) && fits(clientId.substring(PREFIX.length())));
  }

  /** What is wrong and, where one slip explains it, the id that was probably meant. */
  static String explain(String clientId) {
    String what = "the clientId " + clientId + " is mistyped, its check digits do not fit";
    return near(clientId)
        .map(meant -> what + ": it may be " + meant + ", copy it again to be sure")
        .orElse(what + ": copy it again, it is cl- and " + LENGTH + " digits and letters");
  }

  private static Optional<String> near(String clientId) {
    String digits = clientId.substring(PREFIX.length());
    Set<String> slips = new LinkedHashSet<>();
    String lower = digits.strip().toLowerCase(Locale.ROOT);
    slips.add(lower);
    // Crockford's alphabet leaves out the letters that are taken for others.
    slips.add(lower.replace('o', '0').replace('i', '1').replace('l', '1'));
    for (int i = 0; i + 1 < lower.length(); i++) {
      slips.add(
          lower.substring(0, i) + lower.charAt(i + 1) + lower.charAt(i) + lower.substring(i + 2));
    }
    return slips.stream().filter(MistypedClientId::fits).findFirst().map(PREFIX::concat);
  }

  private static boolean fits(String digits) {
    if (digits.length() != LENGTH || digits.chars().anyMatch(c -> ALPHABET.indexOf(c) < 0)) {
      return false;
    }
    int check = 0;
    for (char digit : digits.substring(0, LENGTH - 2).toCharArray()) {
      check = (check * 32 + ALPHABET.indexOf(digit)) % MODULUS;
    }
    return check
        == ALPHABET.indexOf(digits.charAt(LENGTH - 2)) * 32
            + ALPHABET.indexOf(digits.charAt(LENGTH - 1));
  }
}
