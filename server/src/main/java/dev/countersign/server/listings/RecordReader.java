package dev.countersign.server.listings;

import dev.countersign.protocol.DecimalText;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.tables.ColumnType;
import dev.countersign.server.tables.ValueSyntax;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the body of a create request: one JSON object (RFC 8259) with only the members that a
 * caller may give, each of the right type and at most once. Reports up to 50 problems at once.
 */
final class RecordReader {
  // The documents of the interface name this number.
  private static final int MAXIMUM_PROBLEMS = 50;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          // Otherwise, the factory would keep thousands of names that clients have sent.
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(32)
                  .maxNumberLength(DecimalText.MAXIMUM_LENGTH)
                  .build())
          .build();

  private final Map<String, Field> fields;
  private final String memberNames;

  RecordReader(List<Field> fields) {
    this.fields = new LinkedHashMap<>();
    fields.forEach(field -> this.fields.put(field.name(), field));
    this.memberNames =
        fields.stream()
            .filter(RecordReader::isGivenByCaller)
            .map(Field::name)
            .collect(Collectors.joining(", "));
  }

  /**
   * Returns the values to insert, by field in the listing's order. They are the values that the
   * caller gave, those of fields for which the scope has only one value, and the defaults of
   * omitted members.
   *
   * @throws DeniedException {@link Reason#BODY_INVALID}, with up to 50 problems in {@code errors}
   */
  Map<Field, @Nullable Object> read(byte[] body, CallerScope scope) {
    if (body.length == 0) {
      throw invalid(List.of("the body must be one JSON object, was empty"));
    }
    String text = decode(body);
    Reading reading = new Reading(text, scope);
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      reading.document(json);
    } catch (StreamConstraintsException e) {
      throw invalid(
          List.of("the body is nested too deeply, or a number or a name in it is too long"));
    } catch (JacksonException e) {
      throw invalid(
          List.of(
              "the body is not well-formed JSON; see line "
                  + e.getLocation().getLineNr()
                  + ", column "
                  + e.getLocation().getColumnNr()));
    }
    return reading.values();
  }

  // RFC 8259 section 8.1: the body must be valid UTF-8.
  private static String decode(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw invalid(List.of("the body is not UTF-8"));
    }
  }

  private static boolean isGivenByCaller(Field field) {
    return field.origin() == Field.Origin.CALLER_OPTIONAL
        || field.origin() == Field.Origin.CALLER_REQUIRED;
  }

  private static DeniedException invalid(List<String> problems) {
    return Denial.of(Reason.BODY_INVALID, String.join("; ", problems))
        .withMember("errors", List.copyOf(problems))
        .asException();
  }

  /** The state of reading one body: its values and its problems. */
  private final class Reading {
    private final String text;
    private final CallerScope scope;
    private final Map<Field, @Nullable Object> given = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private final List<String> problems = new ArrayList<>();

    Reading(String text, CallerScope scope) {
      this.scope = scope;
      this.text = text;
    }

    void document(JsonParser json) {
      JsonToken start = json.nextToken();
      if (start != JsonToken.START_OBJECT) {
        throw invalid(List.of("the body must be one JSON object, was " + kind(json)));
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        json.nextToken();
        member(name, json);
        json.skipChildren();
      }
      if (json.nextToken() != null) {
        throw invalid(List.of("the body must contain nothing after its object"));
      }
    }

    Map<Field, @Nullable Object> values() {
      Map<Field, @Nullable Object> values = new LinkedHashMap<>();
      for (Field field : fields.values()) {
        if (given.containsKey(field)) {
          values.put(field, given.get(field));
        } else if (scope.only(field).isPresent()) {
          values.put(field, scope.only(field).get());
        } else if (scope.covers(field) && !seen.contains(field.name())) {
          problem(
              field.name() + " is missing; the client may use several values, so give one of them");
        } else if (field.defaultValue() != null) {
          values.put(field, field.defaultValue());
        } else if (field.origin() == Field.Origin.CALLER_REQUIRED && !seen.contains(field.name())) {
          problem(field.name() + " is missing; it must " + rule(field));
        }
      }
      if (!problems.isEmpty()) {
        throw invalid(problems);
      }
      return values;
    }

    // The shape of a text tells the caller more than its type.
    private String rule(Field field) {
      return field.rules().shape().orElseGet(() -> "be " + ValueSyntax.rule(field.type()));
    }

    private void member(String name, JsonParser json) {
      Field field = fields.get(name);
      if (field == null) {
        problem(shown(name) + " is unknown; the members are " + memberNames);
      } else if (!seen.add(name)) {
        problem(name + " occurs twice");
      } else if (!isGivenByCaller(field)) {
        problem(name + " is generated by the service; remove it");
      } else if (json.currentToken() == JsonToken.VALUE_NULL && field.takesNull()) {
        given.put(field, null);
      } else {
        value(field, json);
      }
    }

    private void value(Field field, JsonParser json) {
      String kind = kind(json);
      Optional<Object> value =
          isWrittenAs(field.type(), json.currentToken())
              ? ValueSyntax.parse(
                  field.type(), field.type() == ColumnType.JSON ? source(json) : json.getString())
              : Optional.empty();
      if (value.isEmpty()) {
        problem(field.name() + " must be " + ValueSyntax.rule(field.type()) + ", was " + kind);
        return;
      }
      given.put(field, value.get());
      field
          .violationOf(value.get())
          .ifPresent(rule -> problem(field.name() + " must " + rule + ", was " + kind));
    }

    /** Returns the current value exactly as it is written in the body, and moves to its end. */
    private String source(JsonParser json) {
      int start = Math.toIntExact(json.currentTokenLocation().getCharOffset());
      json.skipChildren();
      json.finishToken();
      return text.substring(start, Math.toIntExact(json.currentLocation().getCharOffset()));
    }

    private void problem(String problem) {
      if (problems.size() < MAXIMUM_PROBLEMS) {
        problems.add(problem);
      }
    }
  }

  private static boolean isWrittenAs(ColumnType type, @Nullable JsonToken token) {
    return switch (type) {
      case UUID, TEXT, TIMESTAMP, DATE -> token == JsonToken.VALUE_STRING;
      case INTEGER -> token == JsonToken.VALUE_NUMBER_INT;
      case DECIMAL -> token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT;
      case BOOLEAN -> token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE;
      case JSON -> token != JsonToken.VALUE_NULL;
    };
  }

  /** Returns the kind of a JSON value; never the value itself. */
  private static String kind(JsonParser json) {
    JsonToken token = json.currentToken();
    if (token == null) {
      return "empty";
    }
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> {
        String text = json.getString();
        yield "text of " + text.codePointCount(0, text.length()) + " characters";
      }
      case VALUE_NUMBER_INT -> "an integer";
      case VALUE_NUMBER_FLOAT -> "a number with a fraction or an exponent";
      case VALUE_TRUE, VALUE_FALSE -> "a boolean";
      case VALUE_NULL -> "null";
      default -> "something else";
    };
  }

  /** Makes a caller's member name short and printable. */
  private static String shown(String name) {
    String printable = name.replaceAll("[^\\x20-\\x7E]", "?");
    return printable.length() <= 64
        ? "'" + printable + "'"
        : "'" + printable.substring(0, 64) + "…'";
  }
}
