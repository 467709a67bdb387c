package dev.countersign.server.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.server.store.Sha256;
import dev.countersign.signatures.keys.CryptoProvider;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The hash that links an entry to the previous one.
 *
 * <p>It is the SHA-256, in lowercase hexadecimal, of these fields in this order: seq, at, author,
 * channel, address, action, subject, before, after, previous_hash. Each field is written as a
 * netstring: the decimal number of its UTF-8 bytes, a colon, the bytes, a comma. A missing address
 * is a hyphen and a comma. Because of the lengths, different entries never have the same encoding.
 */
final class EntryHash {
  /** The previous hash of the first entry. */
  static final String NONE = "0".repeat(64);

  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private EntryHash() {}

  /** Computes the hash of an entry from its other fields. */
  static String of(AuditEntry entry) {
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    for (String field : fields(entry)) {
      add(encoded, field);
    }
    return Sha256.hex(CryptoProvider.jdk(), encoded.toByteArray());
  }

  /** Returns all fields except the hash, as they are hashed and exported. */
  static List<@Nullable String> fields(AuditEntry entry) {
    return Arrays.asList(
        Long.toString(entry.seq()),
        time(entry.at()),
        entry.author(),
        entry.channel(),
        entry.address(),
        entry.action(),
        entry.subject(),
        entry.before(),
        entry.after(),
        entry.previousHash());
  }

  /** Formats a time as RFC 3339 in UTC, always with three decimals. */
  static String time(Instant at) {
    return MILLISECONDS.format(at);
  }

  private static void add(ByteArrayOutputStream encoded, @Nullable String field) {
    if (field == null) {
      encoded.writeBytes("-,".getBytes(US_ASCII));
      return;
    }
    byte[] bytes = field.getBytes(UTF_8);
    encoded.writeBytes((bytes.length + ":").getBytes(US_ASCII));
    encoded.writeBytes(bytes);
    encoded.write(',');
  }
}
