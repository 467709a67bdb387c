package dev.countersign.server.listings.cursors;

import dev.countersign.pagination.PageRequest;
import dev.countersign.server.store.Sha256;
import dev.countersign.signatures.keys.CryptoProvider;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A record of a list, after which a page begins.
 *
 * <p>Its token is base64url without padding (RFC 4648 section 5), and means nothing to callers. It
 * is neither encrypted nor signed: anybody can read its values and make up a token. So a token may
 * decide only where a page begins. The scope of the caller decides which records the page shows.
 * The checksum detects tokens that were damaged on the way.
 *
 * @param passed the number of records up to and including this one, 1 to 2<sup>53</sup> - 1
 * @param values the values of the record by which the list is sorted, as the database stores them
 *     (a {@link String}, {@link Long}, {@link Double} or {@code byte[]}, or null), the last of them
 *     the key; only the key if all would be too long
 */
public record ListCursor(long passed, List<@Nullable Object> values) {
  private static final byte VERSION = 1;
  private static final int BINDING_LENGTH = 8;
  // In characters, so that proxies accept the Link header, which also repeats the URL.
  private static final int MAX_LENGTH = 1_500;
  private static final int MAX_VALUES = 100;

  // The kinds of stored values.
  private static final byte NULL = 0;
  private static final byte TEXT = 1;
  private static final byte INTEGER = 2;
  private static final byte REAL = 3;
  private static final byte BYTES = 4;

  public ListCursor {
    values = Collections.unmodifiableList(new ArrayList<>(values));
    if (passed < 1 || passed > PageRequest.MAXIMUM_OFFSET) {
      throw new IllegalArgumentException("passed must be 1 to 2^53 - 1, was " + passed);
    }
    if (values.isEmpty()) {
      throw new IllegalArgumentException("a cursor has a value");
    }
  }

  /**
   * The list to which a cursor belongs, as a hash of its sort, its filters and everything else that
   * determines its order.
   */
  public static final class Binding {
    private final byte[] hash;

    private Binding(byte[] hash) {
      this.hash = hash;
    }

    /** Returns the binding to the list that these parts identify, in their order. */
    public static Binding of(List<String> parts) {
      ByteArrayOutputStream encoded = new ByteArrayOutputStream();
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        encoded.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        encoded.writeBytes(bytes);
      }
      byte[] hash = Sha256.bytes(CryptoProvider.jdk(), encoded.toByteArray());
      return new Binding(Arrays.copyOf(hash, BINDING_LENGTH));
    }
  }

  /** Returns the token. */
  public String token(Binding binding) {
    if (values.size() <= MAX_VALUES) {
      String whole = encoded(binding);
      if (whole.length() <= MAX_LENGTH) {
        return whole;
      }
    }
    return new ListCursor(passed, values.subList(values.size() - 1, values.size()))
        .encoded(binding);
  }

  private String encoded(Binding binding) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(VERSION);
      out.write(binding.hash);
      out.writeLong(passed);
      out.writeByte(values.size());
      for (Object value : values) {
        write(value, out);
      }
      out.writeInt(checksum(bytes.toByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory cannot fail", e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  private static void write(@Nullable Object value, DataOutputStream out) throws IOException {
    switch (value) {
      case null -> out.writeByte(NULL);
      case String text -> write(TEXT, text.getBytes(StandardCharsets.UTF_8), out);
      case Long integer -> {
        out.writeByte(INTEGER);
        out.writeLong(integer);
      }
      case Double real -> {
        out.writeByte(REAL);
        out.writeDouble(real);
      }
      case byte[] bytes -> write(BYTES, bytes, out);
      default -> throw new IllegalArgumentException("no database stores a " + value.getClass());
    }
  }

  private static void write(byte kind, byte[] bytes, DataOutputStream out) throws IOException {
    out.writeByte(kind);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static int checksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return (int) checksum.getValue();
  }

  /**
   * Reads a token.
   *
   * @return the cursor; empty if the token is of another list, and thus of another sort or filter
   * @throws IllegalArgumentException if the text is not a token
   */
  public static Optional<ListCursor> parse(String token, Binding binding) {
    byte[] bytes = Base64.getUrlDecoder().decode(token);
    int end = bytes.length - Integer.BYTES;
    if (end <= 0 || bytes[0] != VERSION) {
      throw new IllegalArgumentException("not a token of this version");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 0, end);
    if (ByteBuffer.wrap(bytes, end, Integer.BYTES).getInt()
        != checksum(Arrays.copyOf(bytes, end))) {
      throw new IllegalArgumentException("the checksum differs");
    }
    try {
      in.get();
      byte[] hash = new byte[BINDING_LENGTH];
      in.get(hash);
      if (!Arrays.equals(hash, binding.hash)) {
        return Optional.empty();
      }
      ListCursor cursor = read(in);
      // Only one text is the token of a cursor, although Base64 could decode others to the same
      // bytes.
      if (in.hasRemaining() || !cursor.encoded(binding).equals(token)) {
        throw new IllegalArgumentException("the token has another form");
      }
      return Optional.of(cursor);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("the token is too short", e);
    }
  }

  private static ListCursor read(ByteBuffer in) {
    long passed = in.getLong();
    int count = in.get();
    if (count > MAX_VALUES) {
      throw new IllegalArgumentException("no token has " + count + " values");
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      values.add(value(in));
    }
    return new ListCursor(passed, values);
  }

  private static @Nullable Object value(ByteBuffer in) {
    byte kind = in.get();
    return switch (kind) {
      case NULL -> null;
      case TEXT -> text(bytes(in));
      case INTEGER -> in.getLong();
      case REAL -> real(in.getDouble());
      case BYTES -> bytes(in);
      default -> throw new IllegalArgumentException("no kind of value " + kind);
    };
  }

  private static Double real(double value) {
    if (Double.isNaN(value)) {
      throw new IllegalArgumentException("no database stores NaN as a real");
    }
    return value;
  }

  private static byte[] bytes(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("no value has the length " + length);
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a text is not UTF-8", e);
    }
  }
}
