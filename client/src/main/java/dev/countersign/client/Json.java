package dev.countersign.client;

import dev.countersign.protocol.DecimalText;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts request bodies to JSON and answers from JSON.
 *
 * @param mapper the caller's mapper
 */
record Json(JsonMapper mapper) {
  private static final String MALFORMED = "answer_malformed";
  private static final String NOT_JSON = "the response is not JSON: ";
  private static final int EXCERPT_LENGTH = 40;

  /**
   * The default mapper, which keeps decimal digits wherever it can: 1.10 stays 1.10. It reads every
   * decimal that a filter accepts.
   */
  static JsonMapper exactMapper() {
    JsonFactory factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder().maxNumberLength(DecimalText.MAXIMUM_LENGTH).build())
            .build();
    return JsonMapper.builder(factory)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
        .build();
  }

  /** Returns bytes and publishers as they are, and everything else as Jackson writes it. */
  BodyPublisher body(Object body) {
    if (body instanceof BodyPublisher publisher) {
      return publisher;
    }
    return BodyPublishers.ofByteArray(
        body instanceof byte[] bytes ? bytes : mapper.writeValueAsBytes(body));
  }

  /** Reads an answer as a tree; an answer without a body is a missing node. */
  JsonNode tree(FinalResponse answer) {
    try {
      return treeReader().readTree(answer.response().body());
    } catch (JacksonException e) {
      throw answer.unusable(MALFORMED, NOT_JSON + e.getOriginalMessage());
    }
  }

  /**
   * Trees keep all digits even with the caller's mapper, because a later conversion may need them.
   */
  private ObjectReader treeReader() {
    return mapper
        .reader()
        .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
  }

  /** Reads a whole answer. For Void it returns null, whatever the answer contains. */
  <T> T read(FinalResponse answer, Type<T> type) {
    byte[] body = answer.response().body();
    if (type.isVoid()) {
      return type.nothing();
    }
    if (type.isTree()) {
      return read(answer, tree(answer), type);
    }
    if (body.length == 0) {
      throw withoutBody(answer, type);
    }
    return convert(answer, type, () -> type.from(body, mapper));
  }

  /** Reads a part of an answer. */
  <T> T read(FinalResponse answer, JsonNode tree, Type<T> type) {
    if (type.takes(tree)) {
      @SuppressWarnings("unchecked") // Just tested.
      T same = (T) tree;
      return same;
    }
    if (tree.isMissingNode()) {
      throw withoutBody(answer, type);
    }
    return convert(answer, type, () -> type.from(tree, mapper));
  }

  private static <T> T convert(FinalResponse answer, Type<T> type, Supplier<@Nullable T> source) {
    try {
      @Nullable T value = source.get();
      if (value != null) {
        return value;
      }
    } catch (StreamReadException e) {
      throw answer.unusable(MALFORMED, NOT_JSON + e.getOriginalMessage());
    } catch (JacksonException e) {
      throw answer.unusable(
          MALFORMED, "the response is not a " + type.name() + ": " + e.getOriginalMessage());
    }
    throw answer.unusable(MALFORMED, "the response is null, not a " + type.name());
  }

  private static CountersignException withoutBody(FinalResponse answer, Type<?> type) {
    return answer.unusable(
        MALFORMED, "the response must have a body with a " + type.name() + ", has none");
  }

  /** The beginning of a value, for messages. */
  static String excerpt(JsonNode value) {
    String text = value.toString();
    return text.length() > EXCERPT_LENGTH ? text.substring(0, EXCERPT_LENGTH) + '…' : text;
  }

  /**
   * The target type of a conversion from JSON.
   *
   * @param type the type as Jackson represents it
   */
  record Type<T>(JavaType type) {

    static <T> Type<T> of(Class<T> type, JsonMapper mapper) {
      return new Type<>(mapper.constructType(type));
    }

    static <T> Type<T> of(TypeReference<T> type, JsonMapper mapper) {
      return new Type<>(mapper.constructType(type));
    }

    /** The converted value; null if the JSON is null. */
    @Nullable T from(byte[] json, JsonMapper mapper) {
      return mapper.readValue(json, type);
    }

    /** The converted value; null if the JSON is null. */
    @Nullable T from(JsonNode tree, JsonMapper mapper) {
      return mapper.treeToValue(tree, type);
    }

    /** The name for messages. */
    String name() {
      return type.getRawClass().getSimpleName();
    }

    /** Returns whether the caller asked for a tree: for JSON as it is, not converted. */
    boolean isTree() {
      return JsonNode.class.isAssignableFrom(type.getRawClass());
    }

    /** Returns whether the caller asked for no value. */
    boolean isVoid() {
      return type.hasRawClass(Void.class) || type.hasRawClass(void.class);
    }

    @SuppressWarnings("NullAway") // The only value that a Void can have.
    T nothing() {
      return null;
    }

    /** Returns whether this tree is of the kind that the caller asked for. */
    boolean takes(JsonNode tree) {
      return isTree() && type.getRawClass().isInstance(tree);
    }
  }
}
