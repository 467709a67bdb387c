/** Page requests, page envelopes and page links, without dependencies beyond the JDK. */
@org.jspecify.annotations.NullMarked
module dev.countersign.pagination {
  requires static org.jspecify;

  exports dev.countersign.pagination;
}
