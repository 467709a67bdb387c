package dev.countersign.cli.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.base.HttpDate;
import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the base that a signer signed instead of the one that Signature-Input describes, by trying
 * common mistakes: the same lines in other formats, one changed line, other orders of the lines,
 * the URL together with one other line, and several changes of the URL, in this order.
 */
final class BaseGuesses {
  private static final String METHOD = "\"@method\"";
  private static final String TARGET_URI = "\"@target-uri\"";
  private static final String DATE = "\"date\"";
  private static final String DIGEST = "\"content-digest\"";
  private static final int SECONDS = 3;
  private static final int MANY_LINES = 6;
  private static final int MAX_BASE_LENGTH = 100_000;
  // These two limits keep the search to a second or two, however long the base is.
  private static final int MAX_GUESSES = 300_000;
  private static final long MAX_CHARACTERS = 300_000_000;
  private static final Pattern CREATED = Pattern.compile("created=([0-9]{1,15})");

  private final EditableBase rebuilt;
  private final UriGuesses uris;
  private final byte[] body;

  /**
   * Prepares the guesses.
   *
   * @param rebuilt the base rebuilt from the message
   * @param uris alternatives for its target URI
   * @param body the body that was received
   */
  BaseGuesses(EditableBase rebuilt, UriGuesses uris, byte[] body) {
    this.rebuilt = rebuilt;
    this.uris = uris;
    this.body = body.clone();
  }

  /** The base rebuilt from the message. */
  EditableBase rebuilt() {
    return rebuilt;
  }

  /** Returns the first guess that was signed; empty if none of a limited number was. */
  Optional<String> find(Predicate<String> isSigned) {
    int length = rebuilt.text().length();
    long limit = Math.min(MAX_GUESSES, MAX_CHARACTERS / Math.max(1, length));
    Stream<String> changed =
        length > MAX_BASE_LENGTH ? Stream.empty() : changed().map(EditableBase::text).limit(limit);
    return Stream.concat(forms(rebuilt.lines()), changed).filter(isSigned).findFirst();
  }

  private Stream<EditableBase> changed() {
    List<EditableBase> others = others();
    return Stream.of(
            changed(rebuilt, TARGET_URI, uris::withOneChange),
            others.stream(),
            orders(),
            others.stream().flatMap(base -> changed(base, TARGET_URI, uris::withOneChange)),
            changed(rebuilt, TARGET_URI, uris::of))
        .flatMap(bases -> bases);
  }

  private List<EditableBase> others() {
    return Stream.of(
            changed(rebuilt, METHOD, value -> methods(value).stream()),
            changed(rebuilt, DATE, value -> dates(value).stream()),
            changed(rebuilt, DIGEST, value -> digests(value).stream()),
            changed(rebuilt, EditableBase.PARAMS, value -> parameters(value).stream()))
        .flatMap(bases -> bases)
        .toList();
  }

  private static Stream<EditableBase> changed(
      EditableBase base, String line, Function<String, Stream<String>> guesses) {
    return base.value(line).stream().flatMap(guesses).map(value -> base.with(line, value));
  }

  private static Collection<String> methods(String method) {
    Set<String> methods = new LinkedHashSet<>();
    methods.add(method.toUpperCase(Locale.ROOT));
    methods.add(method.toLowerCase(Locale.ROOT));
    methods.addAll(List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"));
    return methods;
  }

  /** Times within three seconds of Date and of created, each in several formats. */
  private Collection<String> dates(String date) {
    Set<Instant> times = new LinkedHashSet<>();
    try {
      times.add(HttpDate.parse(date));
    } catch (DateTimeException unreadable) {
      times.clear();
    }
    Matcher created = CREATED.matcher(rebuilt.value(EditableBase.PARAMS).orElse(""));
    if (created.find()) {
      times.add(Instant.ofEpochSecond(Math.min(Long.parseLong(created.group(1)), 253402300000L)));
    }
    Set<String> dates = new LinkedHashSet<>();
    for (Instant time : times) {
      for (int s = -SECONDS; s <= SECONDS; s++) {
        String text = HttpDate.format(time.plusSeconds(s));
        dates.addAll(
            List.of(text, text.replace(", 0", ", "), text.replace("GMT", "UTC"), text + " "));
        dates.add(time.plusSeconds(s).toString());
      }
    }
    return dates;
  }

  private Collection<String> digests(String digest) {
    List<String> digests = new ArrayList<>();
    for (byte[] other : BodyGuesses.of(body)) {
      digests.add(ContentDigest.of(other, CryptoProvider.jdk()).serialize());
    }
    digests.add(ContentDigest.of("".getBytes(UTF_8), CryptoProvider.jdk()).serialize());
    digests.add(digest.replace(":", ""));
    digests.add(digest.replaceFirst("^sha-256=", "SHA-256="));
    digests.add(digest.replaceFirst("^sha-256=:(.*):$", "$1"));
    return digests;
  }

  private static Collection<String> parameters(String params) {
    List<String> all = new ArrayList<>();
    all.add(PartnerProfile.REQUEST.label() + "=" + params);
    all.add(CREATED.matcher(params).replaceAll("created=$1000"));
    all.add(params.replace(";", "; "));
    all.add(params.replaceFirst("keyid=\"([^\"]*)\"", "keyid=$1"));
    all.add(params.replaceFirst(";alg=\"[^\"]*\"", ""));
    all.add(params.replaceFirst(";created=[0-9]+", ""));
    int list = params.indexOf(')') + 1;
    List<String> parts = List.of(params.substring(list).replaceFirst("^;", "").split(";"));
    if (list > 0 && parts.size() < MANY_LINES) {
      Orders.of(parts)
          .forEach(order -> all.add(params.substring(0, list) + ";" + String.join(";", order)));
    }
    Matcher created = CREATED.matcher(params);
    for (int s = -SECONDS; created.find(0) && s <= SECONDS; s++) {
      long other = Long.parseLong(created.group(1)) + s;
      all.add(created.replaceFirst("created=" + other));
    }
    return all;
  }

  /** All orders of the lines, because some signers put the parameters first. */
  private Stream<EditableBase> orders() {
    List<String> lines = rebuilt.lines();
    return lines.size() > MANY_LINES
        ? Stream.empty()
        : Orders.of(lines).stream().map(EditableBase::new);
  }

  /** The same lines in other formats. */
  private static Stream<String> forms(List<String> lines) {
    String text = String.join("\n", lines);
    return Stream.of(
        text + "\n",
        String.join("\r\n", lines),
        String.join("\r\n", lines) + "\r\n",
        String.join("\\n", lines),
        String.join("\n", lines.subList(0, lines.size() - 1)),
        text.replaceAll("(?m)^\"([^\"]*)\":", "$1:"),
        text.replaceAll("(?m)^(\"[^\"]*\"): ", "$1:"));
  }
}
