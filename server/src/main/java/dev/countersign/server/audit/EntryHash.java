package dev.countersign.server.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hash that chains an entry to the one before it.
 *
 * <p>It is the SHA-256, in lowercase hexadecimal, of these fields in this order: seq, at, author,
 * channel, address, action, subject, before, after, previous_hash. Each is written as a netstring,
 * which is the decimal number of its UTF-8 bytes, a colon, the bytes, a comma; an address that is
 * not there is a hyphen and a comma. A length before each field lets no two entries look alike.
 */
final class EntryHash {
  /** What the first entry has in place of the hash of the entry before. */
  static final String NONE = "0".repeat(64);

  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private EntryHash() {}

  /** The hash that an entry must have, whatever hash it has. */
  static String of(AuditEntry entry) {
    MessageDigest sha256 = sha256();
    for (String field : fields(entry)) {
      add(sha256, field);
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  /** All fields but the hash itself, as they are hashed and exported. */
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

  /** RFC 3339 in UTC, always with three decimals. */
  static String time(Instant at) {
    return MILLISECONDS.format(at);
  }

  private static void add(MessageDigest sha256, @Nullable String field) {
    if (field == null) {
      sha256.update("-,".getBytes(US_ASCII));
      return;
    }
    byte[] bytes = field.getBytes(UTF_8);
    sha256.update((bytes.length + ":").getBytes(US_ASCII));
    sha256.update(bytes);
    sha256.update((byte) ',');
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
