package dev.countersign.server.store;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.MessageDigest;
import java.util.HexFormat;

/** SHA-256, in lowercase hexadecimal as the tables have it, or as bytes. */
public final class Sha256 {
  private Sha256() {}

  /** Hashes these parts one after the other. */
  public static String hex(CryptoProvider crypto, byte[]... parts) {
    return HexFormat.of().formatHex(bytes(crypto, parts));
  }

  /** Hashes these parts one after the other. */
  public static byte[] bytes(CryptoProvider crypto, byte[]... parts) {
    MessageDigest sha256 = crypto.digest("SHA-256");
    for (byte[] part : parts) {
      sha256.update(part);
    }
    return sha256.digest();
  }
}
