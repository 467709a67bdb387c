package dev.countersign.server.access;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.SignatureProfile;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings under {@code countersign.access}: which requests are admitted.
 *
 * @param date whether signatures must cover Date
 * @param label the label of the request's signature
 * @param maximumAge the maximum age of a signature, 1 s to 1 h
 * @param maximumSkew how far a signer's clock may be ahead, 0 s to 1 h
 * @param trustedProxies addresses and ranges of proxies whose forwarding headers are used
 * @param bodyLimit the largest body, 1 byte to 64 MiB
 * @param bodyTimeout how long a body may take to arrive, 1 s to 10 min
 * @param maximumVerifications the maximum number of signatures verified at once, 1 or more; 0 means
 *     64 per processor
 * @param maximumWaiting the number of requests waiting for a processor above which the signatures
 *     of unproven senders are verified only within shares of the processors' time, 1 or more; 0
 *     means 64 per processor
 * @param rateLimit the maximum number of verified requests per second for each client; 0 means no
 *     limit
 * @param registryLimit how old the node's knowledge of the clients may be, 5 s to 1 h
 */
public record AccessProperties(
    @DefaultValue("required") DateRule date,
    @DefaultValue("sig") LabelRule label,
    @DefaultValue("300s") Duration maximumAge,
    @DefaultValue("30s") Duration maximumSkew,
    @DefaultValue List<String> trustedProxies,
    @DefaultValue("1MB") DataSize bodyLimit,
    @DefaultValue("10s") Duration bodyTimeout,
    @DefaultValue("0") int maximumVerifications,
    @DefaultValue("0") int maximumWaiting,
    @DefaultValue("0") int rateLimit,
    @DefaultValue("60s") Duration registryLimit) {

  private static final DataSize MAX_BODY_LIMIT = DataSize.ofMegabytes(64);

  /** The rule for Date. */
  public enum DateRule {
    REQUIRED,
    OPTIONAL
  }

  /** The rule for the label of the request's signature. */
  public enum LabelRule {
    /** The label is {@code sig}; signatures with other labels are ignored. */
    SIG,
    /**
     * The request has exactly one signature, with any label. In a key rotation, the signature by
     * the new key does not count.
     */
    ANY
  }

  public AccessProperties {
    check("maximum-age", maximumAge, Duration.ofSeconds(1), Duration.ofHours(1));
    check("maximum-skew", maximumSkew, Duration.ZERO, Duration.ofHours(1));
    check("body-timeout", bodyTimeout, Duration.ofSeconds(1), Duration.ofMinutes(10));
    check("registry-limit", registryLimit, Duration.ofSeconds(5), Duration.ofHours(1));
    if (bodyLimit.toBytes() < 1 || bodyLimit.compareTo(MAX_BODY_LIMIT) > 0) {
      // DataSize.toString() would have the digits of the machine's locale.
      throw new IllegalArgumentException(
          "access.body-limit must be 1B to 64MB, was " + bodyLimit.toBytes() + "B");
    }
    check("maximum-verifications", maximumVerifications);
    check("maximum-waiting", maximumWaiting);
    check("rate-limit", rateLimit);
    trustedProxies = List.copyOf(trustedProxies);
  }

  private static void check(String name, @Nullable Duration value, Duration least, Duration most) {
    if (value == null || value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "access."
              + name
              + " must be "
              + text(least)
              + " to "
              + text(most)
              + (value == null ? "" : ", was " + text(value)));
    }
  }

  private static void check(String name, int value) {
    if (value < 0) {
      throw new IllegalArgumentException("access." + name + " must be 0 or more, was " + value);
    }
  }

  private static String text(Duration duration) {
    return duration.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  /** Returns the signature profile with these settings. */
  public SignatureProfile profile() {
    SignatureProfile profile =
        PartnerProfile.REQUEST.withMaximumAge(maximumAge).withMaximumSkew(maximumSkew);
    if (date == DateRule.OPTIONAL) {
      profile = profile.allowMissingDate();
    }
    return label == LabelRule.ANY
        ? profile.withAnyLabelExcept(PartnerProfile.NEXT_KEY_LABEL)
        : profile;
  }
}
