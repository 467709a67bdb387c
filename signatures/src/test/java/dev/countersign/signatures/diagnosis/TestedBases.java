package dev.countersign.signatures.diagnosis;

import java.util.Optional;

/** Creates signature bases for tests, and finds the likely cause of a difference between two. */
final class TestedBases {
  /** The base of a POST. A test compares it with a changed copy. */
  static final String POST =
      """
      "@method": POST
      "@target-uri": https://api.example.com/ledger/v1/wallets?page=0
      "content-digest": sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:
      "date": Tue, 05 Mar 2024 07:08:09 GMT
      "@signature-params": ("@method" "@target-uri" "content-digest" "date");created=1709622489;keyid="cl-alice";alg="rsa-v1_5-sha256"\
      """;

  private TestedBases() {}

  /** Creates a base of one component with this value. */
  static String of(String identifier, String value) {
    return identifier
        + ": "
        + value
        + "\n\"@signature-params\": ("
        + identifier
        + ");created=1709622489";
  }

  /** Creates a base without components, with these signature parameters. */
  static String ofParams(String params) {
    return "\"@signature-params\": " + params;
  }

  static Optional<LikelyCause> cause(String signed, String rebuilt) {
    return BaseDifference.between(signed, rebuilt).orElseThrow().likelyCause();
  }

  /** Returns the cause for two values of one component. */
  static Optional<LikelyCause> causeOf(String identifier, String signed, String rebuilt) {
    return cause(of(identifier, signed), of(identifier, rebuilt));
  }
}
