package dev.countersign.pagination;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * One page of a list: its elements, and the envelope that describes their position.
 *
 * @param <T> type of the elements
 * @param envelope the position of the page
 * @param content the elements, immutable, without nulls
 */
public record Page<T>(PageEnvelope envelope, List<T> content) {

  /**
   * Takes a copy of the content.
   *
   * @throws IllegalArgumentException if the envelope's number of elements differs from the size of
   *     the content
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
   * Creates the page that answers a request.
   *
   * @throws IllegalArgumentException if there are more elements than the request's size
   */
  public static <T> Page<T> of(PageRequest request, long totalElements, List<T> content) {
    return new Page<>(PageEnvelope.of(request, totalElements, content.size()), content);
  }

  /**
   * Creates the page that answers a request, without counting the list.
   *
   * @param hasNext whether at least one element follows this page
   * @throws IllegalArgumentException if there are more elements than the request's size
   */
  public static <T> Page<T> uncounted(PageRequest request, boolean hasNext, List<T> content) {
    return new Page<>(
        PageEnvelope.of(request, OptionalLong.empty(), hasNext, content.size()), content);
  }

  /** Returns a page with each element converted, in the same order. */
  public <R> Page<R> map(Function<? super T, ? extends R> mapper) {
    return new Page<>(envelope, content.stream().<R>map(mapper).toList());
  }
}
