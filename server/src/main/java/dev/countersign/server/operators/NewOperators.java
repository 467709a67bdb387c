package dev.countersign.server.operators;

import dev.countersign.server.operators.Operator.Source;
import dev.countersign.server.operators.Operator.Status;
import java.time.Clock;
import java.time.temporal.ChronoUnit;

/** Creates accounts that are enabled, have no password and were never used. */
public final class NewOperators {
  private NewOperators() {}

  public static Operator password(String id, String name, OperatorRole role, Clock clock) {
    return new Operator(
        id,
        name,
        role,
        Status.ENABLED,
        Source.PASSWORD,
        null,
        null,
        false,
        0,
        clock.instant().truncatedTo(ChronoUnit.MILLIS),
        null);
  }

  public static Operator openId(
      String id, OpenIdIdentity identity, OperatorRole role, Clock clock) {
    return new Operator(
        id,
        OperatorNames.derive(identity.name(), identity.subject()),
        role,
        Status.ENABLED,
        Source.OPENID,
        identity.issuer(),
        identity.subject(),
        false,
        0,
        clock.instant().truncatedTo(ChronoUnit.MILLIS),
        null);
  }
}
