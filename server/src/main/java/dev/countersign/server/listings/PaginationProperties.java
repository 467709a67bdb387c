package dev.countersign.server.listings;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code countersign.pagination}: the form of page envelopes.
 *
 * @param pageable whether the envelope has its {@code pageable} member
 */
public record PaginationProperties(@DefaultValue("send") Pageable pageable) {

  /** The setting for the {@code pageable} member. */
  public enum Pageable {
    SEND,
    OMIT
  }
}
