package dev.countersign.pagination;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One parameter of a query, still percent-encoded. Its name ends at the first {@code =}.
 *
 * @param raw the whole pair, never empty
 */
record QueryParameter(String raw) {

  /** Splits a query. Empty pairs ({@code a&&b}, a trailing {@code &}) are skipped. */
  static List<QueryParameter> split(@Nullable String rawQuery) {
    if (rawQuery == null || rawQuery.isEmpty()) {
      return List.of();
    }
    List<QueryParameter> parameters = new ArrayList<>(4);
    int start = 0;
    while (start <= rawQuery.length()) {
      int ampersand = rawQuery.indexOf('&', start);
      int end = ampersand < 0 ? rawQuery.length() : ampersand;
      if (end > start) {
        parameters.add(new QueryParameter(rawQuery.substring(start, end)));
      }
      start = end + 1;
    }
    return parameters;
  }

  String rawName() {
    int equals = raw.indexOf('=');
    return equals < 0 ? raw : raw.substring(0, equals);
  }

  String rawValue() {
    return raw.substring(Math.min(rawName().length() + 1, raw.length()));
  }

  /** The decoded name, or null if its encoding is broken. */
  @Nullable String name() {
    return decode(rawName());
  }

  /** The decoded value; empty if there is no value, null if its encoding is broken. */
  @Nullable String value() {
    return decode(rawValue());
  }

  // RFC 3986, section 2: a URI is visible ASCII, and everything else is percent-encoded octets.
  // WHATWG URL, section 5.1 (application/x-www-form-urlencoded): a plus is a space.
  private static @Nullable String decode(String raw) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream(raw.length());
    for (int at = 0; at < raw.length(); at++) {
      char c = raw.charAt(at);
      if (c <= ' ' || c >= 0x7F) {
        return null;
      }
      if (c == '%') {
        int octet = octet(raw, at + 1);
        if (octet < 0) {
          return null;
        }
        octets.write(octet);
        at += 2;
      } else {
        octets.write(c == '+' ? ' ' : c);
      }
    }
    return utf8(octets.toByteArray());
  }

  private static int octet(String raw, int at) {
    if (at + 2 > raw.length()) {
      return -1;
    }
    int high = hexadecimal(raw.charAt(at));
    int low = hexadecimal(raw.charAt(at + 1));
    return high < 0 || low < 0 ? -1 : (high << 4) | low;
  }

  // Does not use Character.digit alone, which accepts the digits of every script.
  private static int hexadecimal(char c) {
    return c < 0x7F ? Character.digit(c, 16) : -1;
  }

  private static @Nullable String utf8(byte[] octets) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
