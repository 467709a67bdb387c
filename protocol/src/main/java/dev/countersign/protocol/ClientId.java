package dev.countersign.protocol;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The identifier of a client, which is the keyid of its signatures, such as {@code
 * cl-7zk3m9q2x5w8d1tr61}.
 *
 * <p>A generated id consists of {@code cl-}, 16 random digits of Crockford's base 32 in lower case
 * (80 bits; the alphabet leaves out i, l, o and u) and 2 check digits: the random digits read as a
 * number, modulo 1021. Because 1021 is prime, neither changing one digit nor swapping two different
 * neighbours changes that number by a multiple of 1021. The check digits therefore detect every
 * single wrong digit and every swap of two neighbouring digits, including in the check digits
 * themselves, and all but about one in a thousand of other errors.
 *
 * <p>An id that an operator chooses has no check digits. It has 1 to 128 visible ASCII characters
 * without quotes and backslash, so that it needs no escapes in a structured-field string (<a
 * href="https://www.rfc-editor.org/rfc/rfc9651#section-3.3.3">RFC 9651 section 3.3.3</a>). It must
 * not begin with {@code cl-}, in upper or lower case, because such an id needs valid check digits.
 *
 * @param value the id, compared byte for byte
 */
public record ClientId(String value) {
  private static final String PREFIX = "cl-";
  private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int RANDOM_DIGITS = 16;
  private static final int LENGTH = PREFIX.length() + RANDOM_DIGITS + 2;
  private static final int MODULUS = 1021;
  private static final Pattern FORM = Pattern.compile("[!-~&&[^\"'`\\\\]]{1,128}");

  public ClientId {
    Matcher form = FORM.matcher(value);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "a clientId must be 1 to 128 visible ASCII characters without quotes and backslash, was "
              + value.length()
              + " characters, first invalid at character "
              + (form.lookingAt() ? form.end() + 1 : 1));
    }
    if (isMistyped(value)) {
      throw new IllegalArgumentException(
          value
              + " begins with cl- but its check digits are wrong: correct the typing error, or"
              + " choose an id that does not begin with cl-");
    }
  }

  /** A new id of 80 random bits. */
  public static ClientId generate(RandomGenerator random) {
    StringBuilder id = new StringBuilder(LENGTH).append(PREFIX);
    for (int i = 0; i < RANDOM_DIGITS; i++) {
      id.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    int check = checkOf(id);
    id.append(ALPHABET.charAt(check / 32)).append(ALPHABET.charAt(check % 32));
    return new ClientId(id.toString());
  }

  /**
   * Returns whether a keyid looks like a mistyped clientId: it begins with {@code cl-} in any case,
   * but its length, a digit or its check digits are wrong.
   */
  public static boolean isMistyped(String keyid) {
    return keyid.regionMatches(true, 0, PREFIX, 0, PREFIX.length()) && !isGenerated(keyid);
  }

  /**
   * Suggests the generated id behind a mistyped one. Tries it in lower case, then with o replaced
   * by 0 and with i and l replaced by 1, then with each pair of neighbours swapped.
   */
  public static Optional<ClientId> suggestionFor(String mistyped) {
    String lower = mistyped.strip().toLowerCase(Locale.ROOT);
    if (!lower.startsWith(PREFIX)) {
      return Optional.empty();
    }
    Set<String> candidates = new LinkedHashSet<>();
    candidates.add(lower);
    String digits = lower.substring(PREFIX.length());
    candidates.add(PREFIX + digits.replace('o', '0').replace('i', '1').replace('l', '1'));
    for (int i = PREFIX.length(); i + 1 < lower.length(); i++) {
      candidates.add(
          lower.substring(0, i) + lower.charAt(i + 1) + lower.charAt(i) + lower.substring(i + 2));
    }
    return candidates.stream().filter(ClientId::isGenerated).findFirst().map(ClientId::new);
  }

  private static boolean isGenerated(String id) {
    if (id.length() != LENGTH || !id.startsWith(PREFIX)) {
      return false;
    }
    for (int i = PREFIX.length(); i < LENGTH; i++) {
      if (ALPHABET.indexOf(id.charAt(i)) < 0) {
        return false;
      }
    }
    int received = digitAt(id, LENGTH - 2) * 32 + digitAt(id, LENGTH - 1);
    return received == checkOf(id);
  }

  private static int checkOf(CharSequence id) {
    int check = 0;
    for (int i = PREFIX.length(); i < PREFIX.length() + RANDOM_DIGITS; i++) {
      check = (check * 32 + digitAt(id, i)) % MODULUS;
    }
    return check;
  }

  private static int digitAt(CharSequence id, int index) {
    return ALPHABET.indexOf(id.charAt(index));
  }

  @Override
  public String toString() {
    return value;
  }
}
