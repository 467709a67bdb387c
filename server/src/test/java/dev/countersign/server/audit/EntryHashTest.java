package dev.countersign.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EntryHashTest {

  // Computed in Python with the functions of docs/examples/check-audit.py.
  @Test
  void of_documentedEncoding_isTheSame() {
    assertThat(EntryHash.of(entry("203.0.113.7")))
        .isEqualTo("0a2408a984f8cf8ecc4452846e150054957d5e816e1593c972fe42664cfe9809");
    assertThat(EntryHash.of(entry(null)))
        .isEqualTo("128256fb597999e4466bfc9f79eba5f8978d8dce00505e2cb7e0684fa00bb740");
  }

  private static AuditEntry entry(String address) {
    return new AuditEntry(
        7,
        TestTrail.NOW,
        "ada",
        "portal",
        address,
        "client.updated",
        "client:cl-1",
        "{\"name\":\"Acme\"}",
        "{\"name\":\"Söhne\"}",
        EntryHash.NONE,
        "");
  }
}
