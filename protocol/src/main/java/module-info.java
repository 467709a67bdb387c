/**
 * The definitions that clients and services of the partner interface share: signature profiles,
 * checks, reasons for refusals and the grammar of clientIds.
 */
@org.jspecify.annotations.NullMarked
module dev.countersign.protocol {
  requires static org.jspecify;
  requires transitive dev.countersign.signatures;

  exports dev.countersign.protocol;
}
