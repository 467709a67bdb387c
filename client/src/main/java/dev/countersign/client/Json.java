package dev.countersign.client;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Bodies as JSON, and what comes of answers that are not.
 *
 * @param mapper the caller's
 */
record Json(JsonMapper mapper) {
  private static final String MALFORMED = "answer_malformed";
  private static final int EXCERPT = 40;

  /** Bytes and publishers are sent as they are, all else as Jackson writes it. */
  BodyPublisher body(Object body) {
    if (body instanceof BodyPublisher publisher) {
      return publisher;
    }
    return BodyPublishers.ofByteArray(
        body instanceof byte[] bytes ? bytes : mapper.writeValueAsBytes(body));
  }

  JsonNode tree(Answer answer) {
    try {
      return mapper.readTree(answer.response().body());
    } catch (JacksonException e) {
      throw answer.unusable(MALFORMED, "the answer is no JSON: " + e.getOriginalMessage());
    }
  }

  /** The whole of an answer; without a body it is a missing node, where a tree is asked for. */
  <T> T read(Answer answer, JsonType<T> type) {
    JsonNode tree = tree(answer);
    if (tree.isMissingNode() && !type.takes(tree.getClass())) {
      throw answer.unusable(MALFORMED, "the answer has no body to make a " + type.name() + " of");
    }
    return read(answer, tree, type);
  }

  /** Some of an answer. */
  <T> T read(Answer answer, JsonNode tree, JsonType<T> type) {
    if (type.takes(tree.getClass())) {
      @SuppressWarnings("unchecked") // Just tested.
      T same = (T) tree;
      return same;
    }
    try {
      @Nullable T value = type.from(tree, mapper);
      if (value != null) {
        return value;
      }
    } catch (JacksonException e) {
      throw answer.unusable(
          MALFORMED, "the answer is no " + type.name() + ": " + e.getOriginalMessage());
    }
    throw answer.unusable(MALFORMED, "the answer is null, and no " + type.name());
  }

  /** The beginning of a value, for messages. */
  static String excerpt(JsonNode value) {
    String text = value.toString();
    return text.length() > EXCERPT ? text.substring(0, EXCERPT) + '…' : text;
  }
}
