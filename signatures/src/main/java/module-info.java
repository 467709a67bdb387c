/** HTTP Message Signatures (RFC 9421) on the JDK alone. */
@org.jspecify.annotations.NullMarked
module dev.countersign.signatures {
  requires static org.jspecify;
  // Only for the package httpclient: an image without it runs all the rest.
  requires static java.net.http;

  exports dev.countersign.signatures;
  exports dev.countersign.signatures.base;
  exports dev.countersign.signatures.diagnosis;
  exports dev.countersign.signatures.digest;
  exports dev.countersign.signatures.fields;
  exports dev.countersign.signatures.httpclient;
  exports dev.countersign.signatures.keys;
}
