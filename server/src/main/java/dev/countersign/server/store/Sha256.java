package dev.countersign.server.store;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.MessageDigest;
import java.util.HexFormat;

/** SHA-256 (FIPS 180-4). */
public final class Sha256 {
  private Sha256() {}

  /** Returns the SHA-256 of the concatenated parts, in lowercase hexadecimal. */
  public static String hex(CryptoProvider crypto, byte[]... parts) {
    return HexFormat.of().formatHex(bytes(crypto, parts));
  }

  /** Returns the SHA-256 of the concatenated parts. */
  public static byte[] bytes(CryptoProvider crypto, byte[]... parts) {
    MessageDigest sha256 = crypto.digest("SHA-256");
    for (byte[] part : parts) {
      sha256.update(part);
    }
    return sha256.digest();
  }
}
