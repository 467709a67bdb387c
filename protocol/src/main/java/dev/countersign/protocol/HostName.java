package dev.countersign.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Explains why a host is refused. The service's HTTP engine accepts fewer hosts than RFC 3986
 * section 3.2.2 allows: IP literals without a zone, and names of letters, digits and inner hyphens
 * (RFC 1123 section 2.1). Underscores, as in the names of containers, are not among them. Java's
 * {@link URI} also refuses names whose last part begins with a digit. Neither the engine nor {@link
 * URI} limits the length of a name.
 */
public final class HostName {
  private static final int MAX_PORT = 65_535;
  // The maximum length of a name to propose, in characters.
  private static final int MAX_PROPOSAL_LENGTH = 100;

  private static final Pattern DIGITS = Pattern.compile("[0-9]*");
  private static final Pattern IPV4 = Pattern.compile("[0-9]+(\\.[0-9]+){3}");
  private static final Pattern ADDRESS = Pattern.compile("[0-9A-Fa-f:.%]+");
  private static final Pattern LEADING_ZERO = Pattern.compile("(^|\\.)0[0-9]");
  private static final Pattern HYPHENS_AT_ENDS = Pattern.compile("^-+|-+$");

  private static final String NOT_IPV6 =
      "is not an IPv6 address in brackets, without a zone, such as [2001:db8::7]";
  private static final String AT_BEHIND =
      "an @ is behind the host: remove the user, or percent-encode the @";
  private static final String ALLOWED = "a host has only letters, digits, hyphens and dots";

  private HostName() {}

  /**
   * Returns why the service refuses a Host header, in one sentence with the fix; empty if it does
   * not.
   *
   * @param value the host, which may have a port; as text, or one character for each byte as in a
   *     received header
   */
  public static Optional<String> problem(String value) {
    String header = decoded(value);
    int at = header.lastIndexOf('@');
    if (at >= 0) {
      return described(header.substring(at + 1), "has a user before it: remove the user and the @");
    }
    String host = header.substring(0, endOfHost(header));
    String port = header.substring(host.length());
    if (port.indexOf(':', 1) > 0 && ADDRESS.matcher(header).matches()) {
      return described(header, NOT_IPV6);
    }
    if (host.isEmpty()) {
      return Optional.of("the host is missing");
    }
    return fault(host)
        .or(() -> portFault(port, Integer.MAX_VALUE))
        .flatMap(fault -> described(host, fault));
  }

  /**
   * Returns why the host or port of an http or https URI is refused, by the service or by Java, in
   * one sentence with the fix; empty if it is not, and if the URI has no host.
   */
  public static Optional<String> problem(URI uri) {
    String authority = uri.getRawAuthority();
    if (authority == null) {
      return Optional.empty();
    }
    // The part before an @ may be a password.
    String header = authority.substring(authority.lastIndexOf('@') + 1);
    Optional<String> problem = problem(header).or(() -> problemInJava(uri, header));
    // With an @ behind it, the host may be a user and the beginning of a password with a slash.
    String text = uri.toString();
    boolean hasAtBehind = text.indexOf('@', text.indexOf("//") + 2 + authority.length()) >= 0;
    return problem.isPresent() && hasAtBehind ? Optional.of(AT_BEHIND) : problem;
  }

  /** Returns why Java refuses a host and port that the service accepts. */
  private static Optional<String> problemInJava(URI uri, String header) {
    String host = header.substring(0, endOfHost(header));
    Optional<String> port = portFault(header.substring(host.length()), MAX_PORT);
    if (port.isPresent()) {
      return described(host, port.get());
    }
    if (uri.getHost() != null) {
      return Optional.empty();
    }
    return described(
        host,
        IPV4.matcher(host).matches()
            ? "is not an IPv4 address: its numbers are 0 to 255"
            : "ends with a part that begins with a digit: only an IPv4 address may");
  }

  /** Decodes the bytes of a received header, if they are UTF-8. */
  private static String decoded(String value) {
    if (value.chars().anyMatch(c -> c > 0xFF)) {
      return value;
    }
    String text = new String(value.getBytes(ISO_8859_1), UTF_8);
    return text.indexOf('\uFFFD') < 0 ? text : value;
  }

  private static Optional<String> described(String host, String fault) {
    return Optional.of("the host " + PlainText.quoted(host) + " " + fault);
  }

  /** Returns the index of the colon before the port, or the length if there is no port. */
  private static int endOfHost(String header) {
    int bracket = header.startsWith("[") ? header.lastIndexOf(']') : 0;
    int colon = bracket < 0 ? -1 : header.indexOf(':', bracket);
    return colon < 0 ? header.length() : colon;
  }

  /**
   * Finds a fault in a colon and the port after it; both may be missing.
   *
   * @param maximum the maximum port; in a header, the engine accepts any number that an int can
   *     hold
   */
  private static Optional<String> portFault(String port, int maximum) {
    if (port.length() < 2) {
      return Optional.empty();
    }
    String number = port.substring(1);
    if (!DIGITS.matcher(number).matches()) {
      return Optional.of("has the port " + PlainText.quoted(number) + ": a port has only digits");
    }
    return new BigInteger(number).compareTo(BigInteger.valueOf(maximum)) > 0
        ? Optional.of(
            "has the port " + PlainText.quoted(number) + ": a port is at most " + MAX_PORT)
        : Optional.empty();
  }

  private static Optional<String> fault(String host) {
    if (host.startsWith("[")) {
      return isIpv6(host) ? Optional.empty() : Optional.of(NOT_IPV6);
    }
    return host.codePoints()
        .filter(c -> !isLetterOrDigit(c) && c != '-' && c != '.')
        .boxed()
        .findFirst()
        .map(c -> Optional.of(characterFault(c, host)))
        .orElseGet(() -> partFault(host));
  }

  private static boolean isIpv6(String host) {
    try {
      String tail = host.substring(host.lastIndexOf(':') + 1);
      // A zone names a link of one machine (RFC 6874), so the engine refuses it. It also refuses
      // leading zeros in an IPv4 address (RFC 3986 section 3.2.2).
      return host.indexOf('%') < 0
          && !(tail.indexOf('.') >= 0 && LEADING_ZERO.matcher(tail).find())
          && host.equals(new URI("http://" + host).getHost());
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static boolean isLetterOrDigit(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static String characterFault(int c, String host) {
    String code = String.format(Locale.ROOT, "U+%04X", c);
    String shown = c > ' ' && c <= '~' ? "\"" + (char) c + "\" (" + code + ")" : code;
    return "has the character " + shown + ": " + fix(c, host);
  }

  private static String fix(int c, String host) {
    if (c == '_') {
      return ALLOWED + "; " + renameAdvice(host);
    }
    return c > 127
        ? "write the name in ASCII" + ascii(host).map(name -> ", " + name).orElse("")
        : ALLOWED + "; use a name without it";
  }

  /** Advises a name without underscores, empty parts, and hyphens at the ends of parts. */
  private static String renameAdvice(String host) {
    String plain =
        Arrays.stream(host.replace('_', '-').split("\\."))
            .map(part -> HYPHENS_AT_ENDS.matcher(part).replaceAll(""))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("."));
    return "give the machine or container another name"
        + accepted(plain).map(alias -> ", for example the network alias " + alias).orElse("")
        + ", or let nginx send the caller's host with proxy_set_header Host $http_host";
  }

  private static Optional<String> accepted(String host) {
    return Optional.of(host)
        .filter(name -> !name.isEmpty() && name.length() <= MAX_PROPOSAL_LENGTH)
        .filter(name -> fault(name).isEmpty());
  }

  /**
   * Returns the A-labels of a name (RFC 5890 section 2.3.2.1); empty if it has none. The JDK knows
   * only IDNA 2003, which maps some characters to others: {@code straße} to {@code strasse}, which
   * may be another person's domain. Such names have no proposal.
   */
  private static Optional<String> ascii(String host) {
    if (host.length() > MAX_PROPOSAL_LENGTH) {
      // The JDK's class fails for long names, and takes long for them.
      return Optional.empty();
    }
    try {
      String labels = IDN.toASCII(host);
      return lowerCase(IDN.toUnicode(labels)).equals(lowerCase(host))
          ? accepted(labels)
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String lowerCase(String name) {
    return Normalizer.normalize(name, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
  }

  /** Finds a fault in the parts of a name between its dots. A last dot stands for the DNS root. */
  private static Optional<String> partFault(String host) {
    String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    for (String part : name.split("\\.", -1)) {
      if (part.isEmpty()) {
        return Optional.of(
            "begins with a dot, or has two dots in a row: write one dot between two parts");
      }
      if (part.startsWith("-") || part.endsWith("-")) {
        return Optional.of(
            "has the part "
                + PlainText.quoted(part)
                + ": a part between dots begins and ends with a letter or a digit; "
                + renameAdvice(host));
      }
    }
    return Optional.empty();
  }
}
