/** Page requests, page envelopes and page links, on the JDK alone. */
@org.jspecify.annotations.NullMarked
module dev.countersign.pagination {
  requires static org.jspecify;

  exports dev.countersign.pagination;
}
