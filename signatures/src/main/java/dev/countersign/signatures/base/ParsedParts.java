package dev.countersign.signatures.base;

import dev.countersign.signatures.fields.Dictionary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parsed parts of a message that several components of one base share. Each part is parsed only
 * once, because a sender may cover every parameter of a long query or every member of a long
 * dictionary.
 */
final class ParsedParts {
  private @Nullable RawQuery query;
  private @Nullable Map<String, Dictionary> dictionaries;

  /** The query of the request whose base is built. */
  RawQuery query(RequestMessage request) {
    if (query == null) {
      query = RawQuery.of(TargetUri.of(request.targetUri()).query());
    }
    return query;
  }

  /**
   * A dictionary field.
   *
   * @param place a text that identifies the field, its section and its message
   * @param lines the lines of the field, at least one
   */
  Dictionary dictionary(String place, List<String> lines) {
    if (dictionaries == null) {
      dictionaries = new HashMap<>();
    }
    return dictionaries.computeIfAbsent(place, key -> FieldValue.dictionary(lines));
  }
}
