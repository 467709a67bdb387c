package dev.countersign.signatures.fields;

import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Reads the vectors' notation for values: {@code [[1, []], [["q", true]]]} and the like. */
final class ExpectedValue {

  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

  private ExpectedValue() {}

  static FieldList list(JsonNode json) {
    return FieldList.of(json.values().stream().map(ExpectedValue::member).toList());
  }

  static Dictionary dictionary(JsonNode json) {
    Map<String, Member> members = new LinkedHashMap<>();
    for (JsonNode entry : json.values()) {
      members.put(entry.get(0).stringValue(), member(entry.get(1)));
    }
    return Dictionary.of(members);
  }

  static Item item(JsonNode json) {
    return new Item(bareItem(json.get(0)), parameters(json.get(1)));
  }

  private static Member member(JsonNode json) {
    if (!json.get(0).isArray()) {
      return item(json);
    }
    List<Item> items = json.get(0).values().stream().map(ExpectedValue::item).toList();
    return new InnerList(items, parameters(json.get(1)));
  }

  private static Parameters parameters(JsonNode json) {
    Map<String, BareItem> values = new LinkedHashMap<>();
    for (JsonNode entry : json.values()) {
      values.put(entry.get(0).stringValue(), bareItem(entry.get(1)));
    }
    return Parameters.of(values);
  }

  private static BareItem bareItem(JsonNode json) {
    if (json.isObject()) {
      return typed(json.get("__type").stringValue(), json.get("value"));
    }
    if (json.isString()) {
      return new StringItem(json.stringValue());
    }
    if (json.isBoolean()) {
      return new BooleanItem(json.booleanValue());
    }
    return json.isIntegralNumber()
        ? new IntegerItem(json.longValue())
        : new DecimalItem(json.decimalValue());
  }

  private static BareItem typed(String type, JsonNode value) {
    return switch (type) {
      case "token" -> new TokenItem(value.stringValue());
      case "binary" -> ByteSequence.of(base32(value.stringValue()));
      case "date" -> new DateItem(value.longValue());
      case "displaystring" -> new DisplayString(value.stringValue());
      default -> throw new AssertionError("unknown __type " + type);
    };
  }

  // RFC 4648 6: five bits per character; the rest at the end is padding.
  private static byte[] base32(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int bits = 0;
    int held = 0;
    for (int i = 0; i < text.length() && text.charAt(i) != '='; i++) {
      held = (held << 5 | BASE32.indexOf(text.charAt(i))) & 0xfff;
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes.write(held >> bits);
      }
    }
    return bytes.toByteArray();
  }
}
