/** The vocabulary of the partner interface, for clients and services alike. */
@org.jspecify.annotations.NullMarked
module dev.countersign.protocol {
  requires static org.jspecify;
  requires transitive dev.countersign.signatures;

  exports dev.countersign.protocol;
}
