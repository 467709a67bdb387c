package dev.countersign.protocol;

import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Explains why a host is refused. The service's HTTP engine accepts fewer hosts than RFC 3986
 * section 3.2.2 allows: IP literals, and names of letters, digits and inner hyphens (RFC 1123
 * section 2.1). Underscores, as in the names of containers, are not among them. Java's {@link URI}
 * also refuses names whose last part begins with a digit.
 */
public final class HostName {
  private static final Pattern PORT = Pattern.compile(":[0-9]*$");
  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
  private static final String ALLOWED = "a host has only letters, digits, hyphens and dots";

  private HostName() {}

  /**
   * Returns why the service refuses a Host header, in one sentence with the fix; empty if it does
   * not.
   *
   * @param header the host, which may have a port
   */
  public static Optional<String> problem(String header) {
    String host = PORT.matcher(header).replaceFirst("");
    return host.isEmpty() ? Optional.of("the host is missing") : fault(host).map(sentence(host));
  }

  /**
   * Returns why the host of an http or https URI is refused, by the service or by Java, in one
   * sentence with the fix; empty if it is not, and if the URI has no host.
   */
  public static Optional<String> problem(URI uri) {
    String authority = uri.getRawAuthority();
    if (authority == null || uri.getHost() != null) {
      return Optional.empty();
    }
    // The part before an @ may be a password.
    String header = authority.substring(authority.lastIndexOf('@') + 1);
    String host = PORT.matcher(header).replaceFirst("");
    return problem(header)
        .or(
            () ->
                Optional.of(
                        IPV4.matcher(host).matches()
                            ? "is not an IPv4 address: its numbers are 0 to 255"
                            : "ends with a part that begins with a digit: only an IPv4 address may")
                    .map(sentence(host)));
  }

  private static UnaryOperator<String> sentence(String host) {
    return fault -> "the host " + PlainText.quoted(host) + " " + fault;
  }

  private static Optional<String> fault(String host) {
    if (host.startsWith("[") || host.indexOf(':') >= 0) {
      return isIpv6(host)
          ? Optional.empty()
          : Optional.of("is not an IPv6 address in brackets, such as [2001:db8::7]");
    }
    return host.codePoints()
        .filter(c -> !isLetterOrDigit(c) && c != '-' && c != '.')
        .boxed()
        .findFirst()
        .map(c -> Optional.of(character(c, host)))
        .orElseGet(() -> part(host));
  }

  private static boolean isIpv6(String host) {
    try {
      // A zone names a link of one machine; the engine refuses it.
      return host.indexOf('%') < 0 && host.equals(new URI("http://" + host).getHost());
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static boolean isLetterOrDigit(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static String character(int c, String host) {
    String code = String.format(Locale.ROOT, "U+%04X", c);
    String shown = c > ' ' && c <= '~' ? "\"" + (char) c + "\" (" + code + ")" : code;
    return "has the character " + shown + ": " + fix(c, host);
  }

  private static String fix(int c, String host) {
    if (c == '_') {
      return ALLOWED
          + "; give the machine or container another name"
          + accepted(host.replace('_', '-'))
              .map(alias -> ", for example the network alias " + alias)
              .orElse("");
    }
    if (c > 127) {
      return "write the name in ASCII" + ascii(host).map(name -> ", " + name).orElse("");
    }
    return ALLOWED;
  }

  private static Optional<String> accepted(String host) {
    return Optional.of(host).filter(name -> fault(name).isEmpty());
  }

  /** Returns the A-labels of a name (RFC 5890 section 2.3.2.1); empty if it has none. */
  private static Optional<String> ascii(String host) {
    try {
      return accepted(IDN.toASCII(host));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Finds a fault in the parts of a name between its dots. A last dot stands for the DNS root. */
  private static Optional<String> part(String host) {
    String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    for (String part : name.split("\\.", -1)) {
      if (part.isEmpty()) {
        return Optional.of("begins with a dot, or has two dots in a row");
      }
      if (part.startsWith("-") || part.endsWith("-")) {
        return Optional.of(
            "has the part \""
                + part
                + "\": a part between dots begins and ends with a letter or a digit");
      }
    }
    return Optional.empty();
  }
}
