package dev.countersign.signatures;

import java.math.BigInteger;
import java.util.Arrays;

/** Converts ECDSA signatures between their two forms: DER, and two concatenated numbers. */
final class EcdsaForms {
  private EcdsaForms() {}

  static byte[] sideBySide(byte[] der, int bytes) {
    int at = der[1] == (byte) 0x81 ? 3 : 2;
    BigInteger r = new BigInteger(Arrays.copyOfRange(der, at + 2, at + 2 + der[at + 1]));
    at += 2 + der[at + 1];
    BigInteger s = new BigInteger(Arrays.copyOfRange(der, at + 2, at + 2 + der[at + 1]));
    return sideBySide(r, s, bytes);
  }

  static byte[] sideBySide(BigInteger r, BigInteger s, int bytes) {
    byte[] pair = new byte[2 * bytes];
    put(r, pair, bytes);
    put(s, pair, 2 * bytes);
    return pair;
  }

  static byte[] der(byte[] sideBySide) {
    int middle = sideBySide.length / 2;
    byte[] r = new BigInteger(1, sideBySide, 0, middle).toByteArray();
    byte[] s = new BigInteger(1, sideBySide, middle, middle).toByteArray();
    int length = r.length + s.length + 4;
    byte[] front = length < 128 ? new byte[] {0x30} : new byte[] {0x30, (byte) 0x81};
    byte[] der = Arrays.copyOf(front, front.length + 1 + length);
    der[front.length] = (byte) length;
    element(r, der, front.length + 1);
    element(s, der, front.length + 3 + r.length);
    return der;
  }

  private static void element(byte[] number, byte[] der, int at) {
    der[at] = 2;
    der[at + 1] = (byte) number.length;
    System.arraycopy(number, 0, der, at + 2, number.length);
  }

  private static void put(BigInteger number, byte[] target, int end) {
    byte[] bytes = number.toByteArray();
    int skip = bytes[0] == 0 ? 1 : 0;
    System.arraycopy(bytes, skip, target, end - bytes.length + skip, bytes.length - skip);
  }
}
