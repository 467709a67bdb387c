package dev.countersign.server.access;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far a request came through the checks, as far as its reason and its standing tell.
 *
 * @param results all ten in their order
 * @param elsewhere where a request ended that none of the checks refused; null where one did, and
 *     where nothing refused it
 */
public record Checks(List<Result> results, @Nullable String elsewhere) {
  public Checks {
    results = List.copyOf(results);
  }

  /** One check and how it ended. */
  public record Result(Check check, State state) {}

  /** How a check ended. */
  public enum State {
    PASSED,
    FAILED,
    /** It was not made, or nobody kept whether it was. */
    NOT_REACHED
  }

  /**
   * The checks of a request that has ended.
   *
   * @param reason why it was refused; null where it was not
   */
  public static Checks of(@Nullable Reason reason, Standing standing) {
    if (reason == null) {
      return new Checks(results(Check.REPLAY.number(), null), null);
    }
    Optional<Check> failed =
        candidates(reason).stream().filter(check -> standingAt(check) == standing).findFirst();
    return failed.isPresent()
        ? new Checks(results(failed.get().number() - 1, failed.get()), null)
        : new Checks(results(passed(reason, standing), null), place(reason, standing));
  }

  private static List<Result> results(int passed, @Nullable Check failed) {
    return Arrays.stream(Check.values())
        .map(check -> new Result(check, state(check, passed, failed)))
        .toList();
  }

  private static State state(Check check, int passed, @Nullable Check failed) {
    if (check == failed) {
      return State.FAILED;
    }
    return check.number() <= passed ? State.PASSED : State.NOT_REACHED;
  }

  private static Standing standingAt(Check check) {
    return switch (check) {
      case FIELDS, PROFILE, CLIENT, ADDRESS -> Standing.STRANGER;
      case TIME, DIGEST, SIGNATURE -> Standing.CLAIMED;
      case BODY, AUTHORIZATION, REPLAY -> Standing.VERIFIED;
    };
  }

  /** The checks that give a reason; of several, the request's standing tells which it was. */
  private static List<Check> candidates(Reason reason) {
    return switch (reason) {
      case SIGNATURE_MISSING, SIGNATURE_MALFORMED, LABEL_MISSING -> List.of(Check.FIELDS);
      case PARAMETERS_WRONG -> List.of(Check.PROFILE);
      case COMPONENTS_WRONG, ALGORITHM_WRONG -> List.of(Check.PROFILE, Check.SIGNATURE);
      case CLIENT_UNKNOWN, CLIENT_MISTYPED, CLIENT_DISABLED -> List.of(Check.CLIENT);
      case ADDRESS_NOT_ALLOWED -> List.of(Check.ADDRESS);
      case CREATED_TOO_OLD,
          CREATED_IN_FUTURE,
          EXPIRED,
          DATE_MISSING,
          DATE_MALFORMED,
          DATE_MISMATCH ->
          List.of(Check.TIME);
      case DIGEST_MISSING, DIGEST_UNEXPECTED, DIGEST_MALFORMED, BODY_TOO_LARGE ->
          List.of(Check.DIGEST, Check.BODY);
      case MEDIA_TYPE_UNSUPPORTED -> List.of(Check.DIGEST);
      case SIGNATURE_MISMATCH -> List.of(Check.SIGNATURE);
      case DIGEST_MISMATCH, BODY_TIMEOUT -> List.of(Check.BODY);
      case ROLE_MISSING -> List.of(Check.AUTHORIZATION);
      case REPLAYED, IN_PROGRESS, IDEMPOTENCY_MISMATCH -> List.of(Check.REPLAY);
      case REQUEST_MALFORMED,
          HOST_UNKNOWN,
          PARAMETER_INVALID,
          PARAMETER_UNKNOWN,
          NOT_FOUND,
          METHOD_NOT_ALLOWED,
          BODY_INVALID,
          ROTATION_PENDING,
          POSSESSION_UNPROVEN,
          RATE_LIMITED,
          OVERLOADED,
          INTERNAL_ERROR ->
          List.of();
    };
  }

  /** How many checks a request has passed at least that none of them refused. */
  private static int passed(Reason reason, Standing standing) {
    return switch (standing) {
      case STRANGER -> 0;
      case CLAIMED -> reason == Reason.OVERLOADED ? Check.DIGEST.number() : Check.ADDRESS.number();
      case VERIFIED ->
          switch (reason) {
            case NOT_FOUND, METHOD_NOT_ALLOWED -> Check.BODY.number();
            case PARAMETER_INVALID,
                PARAMETER_UNKNOWN,
                BODY_INVALID,
                MEDIA_TYPE_UNSUPPORTED,
                ROTATION_PENDING,
                POSSESSION_UNPROVEN ->
                Check.AUTHORIZATION.number();
            default -> Check.SIGNATURE.number();
          };
    };
  }

  private static String place(Reason reason, Standing standing) {
    return switch (standing) {
      case STRANGER -> "before the first check: the request itself, or the host that it names";
      case CLAIMED ->
          reason == Reason.OVERLOADED
              ? "in front of check 7, which only so many requests pass at once"
              : "after check 4";
      case VERIFIED ->
          switch (reason) {
            case RATE_LIMITED -> "after check 7, at the client's rate limit";
            case NOT_FOUND, METHOD_NOT_ALLOWED -> "at the route, which check 8 leads to";
            case PARAMETER_INVALID,
                PARAMETER_UNKNOWN,
                BODY_INVALID,
                MEDIA_TYPE_UNSUPPORTED,
                ROTATION_PENDING,
                POSSESSION_UNPROVEN ->
                "at the route, after check 9: what the request asks for";
            default -> "after check 7, while the request was read or carried out";
          };
    };
  }
}
