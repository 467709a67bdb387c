/** Calls a Countersign service: every request signed, lists walked page by page, keys rotated. */
@org.jspecify.annotations.NullMarked
module dev.countersign.client {
  requires static org.jspecify;
  requires transitive java.net.http;
  requires transitive dev.countersign.pagination;
  requires transitive dev.countersign.protocol;
  requires transitive dev.countersign.signatures;
  requires transitive tools.jackson.databind;

  exports dev.countersign.client;
  exports dev.countersign.client.keys;
  exports dev.countersign.client.rotation;
}
