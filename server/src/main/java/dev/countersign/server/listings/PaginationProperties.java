package dev.countersign.server.listings;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How page envelopes are sent, under {@code countersign.pagination}.
 *
 * @param pageable whether the envelope has its {@code pageable} member
 */
public record PaginationProperties(@DefaultValue("send") Pageable pageable) {

  /** What to do with the {@code pageable} member. */
  public enum Pageable {
    SEND,
    OMIT
  }
}
