/** HTTP Message Signatures (RFC 9421) on the JDK alone. */
@org.jspecify.annotations.NullMarked
module dev.countersign.signatures {
  requires static org.jspecify;

  exports dev.countersign.signatures;
  exports dev.countersign.signatures.keys;
}
