package dev.countersign.pagination;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * One page of a list: its elements, and the envelope that says where they stand.
 *
 * @param <T> an element
 * @param envelope where the page stands
 * @param content the elements, immutable, without nulls
 */
public record Page<T>(PageEnvelope envelope, List<T> content) {

  /**
   * Takes a copy of the content.
   *
   * @throws IllegalArgumentException where the envelope counts other elements than there are
   */
  public Page {
    Objects.requireNonNull(envelope, "envelope");
    content = List.copyOf(content);
    if (envelope.numberOfElements() != content.size()) {
      throw new IllegalArgumentException(
          "content must hold numberOfElements = "
              + envelope.numberOfElements()
              + ", was "
              + content.size());
    }
  }

  /**
   * The page that answers a request.
   *
   * @throws IllegalArgumentException where there are more elements than the request's size
   */
  public static <T> Page<T> of(PageRequest request, long totalElements, List<T> content) {
    return new Page<>(PageEnvelope.of(request, totalElements, content.size()), content);
  }

  /** This page with each element turned into another, in the same order. */
  public <R> Page<R> map(Function<? super T, ? extends R> mapper) {
    return new Page<>(envelope, content.stream().<R>map(mapper).toList());
  }
}
