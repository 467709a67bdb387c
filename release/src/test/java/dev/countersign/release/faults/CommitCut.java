package dev.countersign.release.faults;

import dev.countersign.testing.CommitProxy;
import dev.countersign.testing.CommitProxy.Cut;
import dev.countersign.testing.CommitProxy.Side;
import dev.countersign.testing.CommitProxy.Unit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * A place between two messages of a commit at which the connection is cut, and the fate of the
 * primary. The request has the messages Bind, Execute and Sync, and the answer has one for each
 * (PostgreSQL, Frontend/Backend Protocol, Extended Query). If COMMIT was not prepared before, Parse
 * counts as a part of Bind.
 *
 * @param messages the number of messages that pass before the cut
 */
record CommitCut(Side side, int messages, Primary primary) {
  private static final int MESSAGES = 3;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** The fate of the primary when the connection is cut. */
  enum Primary {
    /** It stays, and gets nothing more of the request. */
    STAYS,
    /** It stays, and gets the rest of the request. */
    GETS_THE_REST,
    /** It is killed, and the standby is promoted. */
    FAILS_OVER
  }

  /** Returns all places, with all ends. */
  static List<CommitCut> all() {
    List<CommitCut> all = new ArrayList<>();
    for (int messages = 0; messages <= MESSAGES; messages++) {
      all.add(new CommitCut(Side.REQUEST, messages, Primary.STAYS));
      all.add(new CommitCut(Side.REQUEST, messages, Primary.GETS_THE_REST));
      all.add(new CommitCut(Side.REQUEST, messages, Primary.FAILS_OVER));
    }
    // A client that has the whole answer has lost nothing.
    for (int messages = 0; messages < MESSAGES; messages++) {
      all.add(new CommitCut(Side.ANSWER, messages, Primary.STAYS));
      all.add(new CommitCut(Side.ANSWER, messages, Primary.FAILS_OVER));
    }
    return List.copyOf(all);
  }

  /** Cuts the commit of a payment at the first node, which must store it once and say so. */
  void strike(Cluster cluster, Traffic traffic, String reference) throws Exception {
    int before = cuts(cluster);
    FutureTask<Boolean> end = new FutureTask<>(() -> endOfPrimary(cluster));
    Cut cut =
        new Cut(
            reference,
            side,
            messages,
            Unit.MESSAGE,
            () -> {
              // The next attempt may commit at the other database.
              cluster.commits().forEach(CommitProxy::disarm);
              end.run();
              return end.state() == Future.State.SUCCESS && end.resultNow();
            });
    cluster.commits().forEach(proxy -> proxy.arm(cut));
    boolean isAcknowledged = traffic.pay(cluster.nodes().getFirst().url(), reference);
    int cuts = cuts(cluster) - before;
    if (!isAcknowledged || cuts != 1) {
      throw new IllegalStateException(
          reference + " was cut " + cuts + " times; acknowledged: " + isAcknowledged);
    }
    end.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    if (primary == Primary.FAILS_OVER) {
      cluster.addStandby();
    }
  }

  private static int cuts(Cluster cluster) {
    return cluster.commits().stream().mapToInt(CommitProxy::cuts).sum();
  }

  /** Lets the primary fail if it must; returns whether it gets the rest of the request. */
  private boolean endOfPrimary(Cluster cluster) throws IOException, InterruptedException {
    if (primary == Primary.FAILS_OVER) {
      cluster.primary().kill();
      cluster.promote();
    }
    return primary == Primary.GETS_THE_REST;
  }
}
