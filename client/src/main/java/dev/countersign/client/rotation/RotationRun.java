package dev.countersign.client.rotation;

import dev.countersign.client.CountersignException;
import dev.countersign.client.keys.KeyException;
import dev.countersign.client.keys.KeySource;
import dev.countersign.protocol.BaseUrl;
import dev.countersign.signatures.SigningException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;

/** One rotation of one key file. No other rotation of that file runs at the same time. */
final class RotationRun {
  /** The longest wait for the nodes of a service to learn the new key. */
  private static final Duration SETTLING = Duration.ofSeconds(2);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final BaseUrl base;
  private final String clientId;
  private final RotationFiles files;
  private final RotationSettings settings;

  RotationRun(BaseUrl base, String clientId, RotationFiles files, RotationSettings settings) {
    this.base = base;
    this.clientId = clientId;
    this.files = files;
    this.settings = settings;
  }

  RotatedKey rotate() throws IOException {
    RotationKey current = files.current();
    requireClientId(current.source());
    Integer bits = settings.bits();
    NextKey next =
        files.next(current, bits == null ? current.publicKey().getModulus().bitLength() : bits);
    RotationAnswer answer = send(current.source(), next);
    if (!answer.isRegistered()) {
      throw refused(answer);
    }
    RotatedKey rotated = registered(answer, next);
    settings.steps().reached(RotationStep.REGISTERED);
    settle();
    switchTo(next, current);
    return rotated;
  }

  /** Checks, before anything is written, that the current key can sign for this client. */
  private void requireClientId(KeySource current) {
    try {
      current.signingKey(clientId);
    } catch (KeyException e) {
      throw files.notRotatable(String.valueOf(e.getMessage()));
    }
  }

  private RotationAnswer send(KeySource current, NextKey next) {
    RotationRequest request = new RotationRequest(base, clientId, next, settings.overlap());
    try {
      return new RotationCall(http(), settings.clock(), settings.pause())
          .send(request, current, next);
    } catch (KeyException | SigningException | IllegalArgumentException e) {
      throw new RotationException("signing_failed", e.getMessage() + serviceMayHaveKey(), e);
    } catch (RotationException e) {
      throw addingKeptKey(e);
    }
  }

  private HttpClient http() {
    HttpClient given = settings.http();
    return given == null
        ? HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build()
        : given;
  }

  // Waits before the key file switches to the new key. All nodes of a service know the new key
  // within a second. With a short overlap, the wait is only a quarter of the overlap, so the old
  // key still works.
  private void settle() {
    Duration part = settings.overlap().dividedBy(4);
    try {
      settings.pause().sleep(part.compareTo(SETTLING) < 0 ? part : SETTLING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RotationException("interrupted", "before the switch" + nextKeyIsKept("has"), e);
    }
  }

  private void switchTo(NextKey next, RotationKey current) {
    try {
      files.switchTo(next, current);
    } catch (IOException e) {
      throw new RotationException(
          "key_not_written",
          "the key file was not replaced: "
              + e
              + (files.isNextMissing() ? nextKeyIsMissing() : nextKeyIsKept("has")),
          e);
    }
  }

  private RotatedKey registered(RotationAnswer answer, NextKey next) {
    try {
      return answer.rotated(next);
    } catch (RotationException e) {
      throw addingKeptKey(e);
    }
  }

  private RotationException addingKeptKey(RotationException e) {
    return new RotationException(e.reason(), withoutReason(e, e.reason()) + serviceMayHaveKey(), e);
  }

  private RotationException refused(RotationAnswer answer) throws IOException {
    CountersignException refusal = answer.refusal();
    String end = "";
    if (answer.isRefusedForGood()) {
      files.dropNext();
    } else {
      end = answer.mayBeAcceptedLater() ? later(answer) : serviceMayHaveKey();
    }
    return new RotationException(
        refusal.reason(), withoutReason(refusal, refusal.reason()) + end, refusal);
  }

  /** The message without the leading reason. */
  private static String withoutReason(RuntimeException e, String reason) {
    return String.valueOf(e.getMessage()).substring(reason.length() + 2);
  }

  // The new key is kept although the service refused it: an attacker who recorded the request may
  // send the request again later, when the service accepts it.
  private String later(RotationAnswer answer) {
    String when =
        answer.retryAfter().map(wait -> " in " + wait.toSeconds() + " s").orElse(" later");
    return (answer.isPending()
            ? ". The new key"
            : ". A copy of this request may still register the new key, so it")
        + " is kept in "
        + files.nextFile()
        + ": rotate again"
        + when
        + ", and do not delete it";
  }

  private String serviceMayHaveKey() {
    return nextKeyIsKept("may have");
  }

  private String nextKeyIsMissing() {
    return ". The service has the new key, but "
        + files.nextFile()
        + " is missing: restore it and rotate again before the overlap ends, or ask the operator to"
        + " replace that key";
  }

  private String nextKeyIsKept(String verb) {
    return ". The service "
        + verb
        + " the new key, which is kept in "
        + files.nextFile()
        + ": rotate again before the overlap ends, and do not delete it";
  }
}
