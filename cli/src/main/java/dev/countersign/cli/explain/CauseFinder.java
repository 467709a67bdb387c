package dev.countersign.cli.explain;

import dev.countersign.cli.captured.CapturedRequest;
import dev.countersign.signatures.diagnosis.BaseDifference;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the cause of an objection from everything known about the request. */
record CauseFinder(
    CapturedRequest request, CapturedSignature signature, CapturedBodyDigest digest, Hints hints) {
  private static final Pattern FORWARDED_HOST =
      Pattern.compile("host=\"?([^;,\"\\s]+)", Pattern.CASE_INSENSITIVE);

  Cause of(Objection objection) {
    Cause plain = Cause.of(objection.message());
    return switch (objection.rule()) {
      case COMPONENTS -> objection.refusal().map(HeadCause::ofComponents).orElse(plain);
      case DATE ->
          signature.created().isEmpty()
              ? plain
              : HeadCause.ofDate(request.fieldLines("date"), signature.created().getAsLong())
                  .orElse(plain);
      case SIGNATURE -> ofSignature().orElse(plain);
      case BODY -> digest.cause().orElse(plain);
      default -> plain;
    };
  }

  private Optional<Cause> ofSignature() {
    return signature
        .base()
        .flatMap(
            base ->
                signature
                    .bytes()
                    .map(
                        bytes ->
                            new SignatureCause(
                                    hints.publicKey().orElseThrow(), guesses(base), hints.base())
                                .of(bytes)));
  }

  private List<BaseGuesses> guesses(EditableBase base) {
    return Stream.concat(Stream.of(base), signature.serialized().stream())
        .map(lines -> new BaseGuesses(lines, uris(), request.body()))
        .toList();
  }

  /**
   * The cause if there is no public key. The base that the signer recorded can still be compared
   * with the base of the received request.
   */
  Cause withoutPublicKey() {
    Optional<Cause> difference =
        signature
            .base()
            .flatMap(base -> hints.base().flatMap(own -> BaseDifference.between(own, base.text())))
            .map(Cause::of);
    return difference.orElseGet(
        () ->
            Cause.of(
                (hints.base().isPresent() ? "the two bases are equal, and " : "")
                    + "the signature was not checked: give the client's public key with"
                    + " --public-key FILE"));
  }

  /**
   * Guesses of the signed URI: from the URL that the caller believes it called, and from the hosts
   * and prefixes that proxies report in their headers.
   */
  private UriGuesses uris() {
    // UriGuesses tries only the first few hosts, so the caller's host comes first.
    Set<String> hosts = new LinkedHashSet<>();
    hints
        .signedUrl()
        .map(url -> String.valueOf(URI.create(url).getRawAuthority()))
        .ifPresent(hosts::add);
    hosts.addAll(request.fieldLines("x-forwarded-host"));
    hosts.addAll(request.fieldLines("x-original-host"));
    request.fieldLines("host").forEach(hosts::add);
    for (String line : request.fieldLines("forwarded")) {
      Matcher host = FORWARDED_HOST.matcher(line);
      while (host.find()) {
        hosts.add(host.group(1));
      }
    }
    Set<String> whole = new LinkedHashSet<>();
    hints.signedUrl().ifPresent(whole::add);
    return new UriGuesses(
        whole, hosts, new LinkedHashSet<>(request.fieldLines("x-forwarded-prefix")));
  }
}
