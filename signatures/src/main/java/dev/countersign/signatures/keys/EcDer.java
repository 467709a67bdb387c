package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.ALGORITHM_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;

import java.math.BigInteger;
import java.security.spec.ECPoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The structures around an EC key: the point of a public key (<a
 * href="https://www.rfc-editor.org/rfc/rfc5480#section-2">RFC 5480, section 2</a>) and the private
 * key of SEC 1 (<a href="https://www.rfc-editor.org/rfc/rfc5915#section-3">RFC 5915, section
 * 3</a>), in its own file or inside PKCS#8.
 */
final class EcDer {
  private EcDer() {}

  static EcNumbers publicKey(SubjectPublicKeyInfo info) {
    EcCurve curve = curve(info.algorithm().parameters());
    return EcNumbers.ofPublic(curve, point(info.key(), curve));
  }

  static EcNumbers privateKey(PrivateKeyInfo info) {
    EcCurve curve = curve(info.algorithm().parameters());
    List<ECPoint> points = info.publicKey().stream().map(key -> point(key, curve)).toList();
    return sec1(info.key(), curve, points);
  }

  static EcNumbers sec1(byte[] der) {
    return sec1(Der.of(der), null, List.of());
  }

  private static EcNumbers sec1(Der reader, @Nullable EcCurve outer, List<ECPoint> outerPoints) {
    Der key = reader.enter(Der.SEQUENCE);
    reader.requireEnd();
    if (!key.integer().equals(BigInteger.ONE)) {
      throw new KeyFileException(MALFORMED, "the version of an EC private key must be 1");
    }
    byte[] secret = key.enter(Der.OCTET_STRING).rest();
    EcCurve inner = key.nextIs(Der.context(0)) ? curve(key.enter(Der.context(0))) : outer;
    if (inner == null || (outer != null && inner != outer)) {
      throw new KeyFileException(MALFORMED, "the EC key must name one curve, names none or two");
    }
    List<ECPoint> points = new ArrayList<>(outerPoints);
    if (key.nextIs(Der.context(1))) {
      Der field = key.enter(Der.context(1));
      points.add(point(field.bitString(), inner));
      field.requireEnd();
    }
    key.requireEnd();
    return EcNumbers.ofPrivate(inner, number(secret, inner), points);
  }

  private static BigInteger number(byte[] secret, EcCurve curve) {
    // RFC 5915, 3: as many bytes as the order has.
    if (secret.length != curve.bytes()) {
      throw new KeyFileException(
          MALFORMED,
          "the EC private key has "
              + secret.length
              + " bytes, but on "
              + curve.label()
              + " it must have "
              + curve.bytes());
    }
    return new BigInteger(1, secret);
  }

  private static EcCurve curve(Der parameters) {
    if (parameters.nextIs(Der.SEQUENCE)) {
      // RFC 5480, 2.1.1: specifiedCurve must not be used; CVE-2020-0601 forged keys with it.
      throw new KeyFileException(
          ALGORITHM_UNSUPPORTED,
          "the EC key describes its curve by numbers; a named curve is needed: "
              + KeyAlgorithm.NEW_KEY_COMMAND);
    }
    String oid = parameters.objectIdentifier();
    parameters.requireEnd();
    return EcCurve.ofOid(oid)
        .orElseThrow(
            () ->
                new KeyFileException(
                    ALGORITHM_UNSUPPORTED,
                    "the EC key is on an unsupported curve; P-256, P-384 or P-521 is needed: "
                        + "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256"));
  }

  /** SEC 1, 2.3.4: an octet for the form, then both coordinates. */
  private static ECPoint point(Der content, EcCurve curve) {
    byte[] octets = content.rest();
    if (octets.length == curve.bytes() + 1 && (octets[0] == 2 || octets[0] == 3)) {
      throw new KeyFileException(
          FORMAT_UNSUPPORTED,
          "the point of the EC key is compressed; both coordinates are needed:"
              + " openssl ec -in FILE -conv_form uncompressed (with -pubin for a public key)");
    }
    if (octets.length != 2 * curve.bytes() + 1 || octets[0] != 4) {
      throw new KeyFileException(
          MALFORMED, "the point of the EC key does not have the length of " + curve.label());
    }
    int middle = curve.bytes() + 1;
    return new ECPoint(
        new BigInteger(1, Arrays.copyOfRange(octets, 1, middle)),
        new BigInteger(1, Arrays.copyOfRange(octets, middle, octets.length)));
  }
}
