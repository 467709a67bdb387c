package dev.countersign.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.audit.ChainVerification.Broken;
import dev.countersign.server.audit.ChainVerification.Fault;
import dev.countersign.server.audit.ChainVerification.HeadUnknown;
import dev.countersign.server.audit.ChainVerification.Intact;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ChainCheckTest {
  @TempDir private Path data;

  @ParameterizedTest
  @EnumSource
  void verify_withoutEntries_isIntact(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      assertThat(test.trail().verify()).isEqualTo(new Intact(0, EntryHash.NONE, 0));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void verify_moreThanABatch_isIntact(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      test.fill(1000);
      String noted = test.entries().getLast().hash();
      test.fill(1001);
      String head = test.entries().getLast().hash();
      assertThat(test.trail().verify(noted)).isEqualTo(new Intact(2001, head, 1000));
      assertThat(test.trail().verify(head).message())
          .endsWith("; entry 2001 of 2001 has the noted hash");
      test.tamper("UPDATE audit_entries SET action = 'x' WHERE seq = 2001");
      assertThat(test.trail().verify()).isEqualTo(new Broken(2001, Fault.ALTERED));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void verify_columnAltered_isBrokenThere(TestStore store) {
    List<String> alterations =
        List.of(
            "at = at + 1",
            "author = 'eve'",
            "channel = 'service'",
            "address = NULL",
            "address = '203.0.113.99'",
            "action = 'client.removed'",
            "subject = 'client:9'",
            "before = '{}'",
            "after = after || ' '",
            "author = author || '3:', channel = 'portal'",
            "previous_hash = 'f'",
            "hash = 'f'");
    try (TestTrail test = new TestTrail(store, data)) {
      test.fill(3);
      for (long seq = 1; seq <= 3; seq++) {
        for (String alteration : alterations) {
          AuditEntry original = test.entries().get((int) seq - 1);
          test.tamper("UPDATE audit_entries SET " + alteration + " WHERE seq = " + seq);
          assertThat(test.trail().verify())
              .as(alteration)
              .isEqualTo(new Broken(seq, Fault.ALTERED));
          restore(test, original);
          assertThat(test.trail().verify()).isInstanceOf(Intact.class);
        }
      }
    }
  }

  private static void restore(TestTrail test, AuditEntry entry) {
    test.tamper("DELETE FROM audit_entries WHERE seq = " + entry.seq());
    test.database()
        .write(
            sql -> {
              new AuditRows(sql).insert(entry);
              return true;
            });
    test.tamper(
        "UPDATE audit_head SET hash ="
            + " (SELECT hash FROM audit_entries ORDER BY seq DESC LIMIT 1)");
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void verify_entryMovedToAnotherPlace_isBroken(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      test.fill(4);
      test.tamper("UPDATE audit_entries SET seq = 9 WHERE seq = 2");
      assertThat(test.trail().verify()).isEqualTo(new Broken(2, Fault.MISSING));
      test.tamper(
          "UPDATE audit_entries SET seq = 2 WHERE seq = 3",
          "UPDATE audit_entries SET seq = 3 WHERE seq = 9");
      assertThat(test.trail().verify()).isEqualTo(new Broken(2, Fault.REORDERED));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void verify_entryDeleted_isBrokenThere(TestStore store) {
    for (int seq = 1; seq <= 3; seq++) {
      try (TestTrail test = new TestTrail(store, data.resolve("of" + seq))) {
        test.fill(3);
        test.tamper("DELETE FROM audit_entries WHERE seq = " + seq);
        Fault fault = seq == 3 ? Fault.TRUNCATED : Fault.MISSING;
        assertThat(test.trail().verify()).isEqualTo(new Broken(seq, fault));
      }
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void verify_allDeleted_isTruncated(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      test.fill(3);
      test.tamper("DELETE FROM audit_entries");
      assertThat(test.trail().verify()).isEqualTo(new Broken(1, Fault.TRUNCATED));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void verify_headMovedBack_isBrokenAfterIt(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      test.fill(3);
      test.tamper(
          "UPDATE audit_head SET seq = 2,"
              + " hash = (SELECT hash FROM audit_entries WHERE seq = 2)");
      assertThat(test.trail().verify()).isEqualTo(new Broken(3, Fault.UNEXPECTED));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void verify_entryHashedAnew_breaksTheNextOne(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      test.fill(3);
      rewrite(test, 1);
      assertThat(test.trail().verify()).isEqualTo(new Broken(2, Fault.REPLACED));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void verify_lastEntryHashedAnew_differsFromTheHead(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      test.fill(3);
      rewrite(test, 3);
      assertThat(test.trail().verify()).isEqualTo(new Broken(3, Fault.REPLACED));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void verify_chainWrittenAnew_onlyTheNotedHeadTells(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      test.fill(3);
      String noted = test.entries().getLast().hash();
      String anew = rewrite(test, 3);
      test.tamper("UPDATE audit_head SET hash = '" + anew + "'");
      assertThat(test.trail().verify()).isEqualTo(new Intact(3, anew, 0));
      assertThat(test.trail().verify(noted)).isEqualTo(new HeadUnknown(noted));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void verify_zeros_areNoHashOfAnEntry(TestStore store) {
    try (TestTrail test = new TestTrail(store, data)) {
      assertThat(test.trail().verify(EntryHash.NONE)).isEqualTo(new HeadUnknown(EntryHash.NONE));
      test.fill(3);
      assertThat(test.trail().verify(EntryHash.NONE)).isEqualTo(new HeadUnknown(EntryHash.NONE));
      assertThat(test.trail().verify(EntryHash.NONE).message())
          .startsWith("64 zeros are the head of an empty audit trail and prove nothing");
    }
  }

  @Test
  void parseHash_asSomebodyNotedIt_isReadInAnyCase() {
    String hash = "0123456789abcdef".repeat(4);
    assertThat(AuditTrail.parseHash(hash)).contains(hash);
    assertThat(AuditTrail.parseHash(" " + hash.toUpperCase(Locale.ROOT) + "\n")).contains(hash);
    assertThat(AuditTrail.parseHash(hash.replaceAll("(.{8})", "$1 "))).contains(hash);
    for (String other : List.of("", "0", hash + "0", hash.substring(1), "g" + hash.substring(1))) {
      assertThat(AuditTrail.parseHash(other)).isEmpty();
    }
  }

  /** Another author, and the matching hash. */
  private static String rewrite(TestTrail test, int seq) {
    AuditEntry e = test.entries().get(seq - 1);
    AuditEntry forged =
        new AuditEntry(
            e.seq(),
            e.at(),
            "eve",
            e.channel(),
            e.address(),
            e.action(),
            e.subject(),
            e.before(),
            e.after(),
            e.previousHash(),
            "");
    String hash = EntryHash.of(forged);
    test.tamper(
        "UPDATE audit_entries SET author = 'eve', hash = '" + hash + "' WHERE seq = " + seq);
    return hash;
  }
}
