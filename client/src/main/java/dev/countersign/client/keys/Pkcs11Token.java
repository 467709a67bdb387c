package dev.countersign.client.keys;

import dev.countersign.signatures.SigningKey;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An RSA private key on a hardware module, a card or a USB token. The key never leaves the device,
 * which makes the signatures. Access is by PKCS#11 (<a
 * href="https://docs.oasis-open.org/pkcs11/pkcs11-spec/v3.1/pkcs11-spec-v3.1.html">version 3.1,
 * section 6.1</a>), through the vendor's library and the JDK's provider SunPKCS11.
 *
 * <pre>{@code
 * KeySource key = Pkcs11Token.of(Path.of("/usr/lib/softhsm/libsofthsm2.so"), pin).withSlot(7);
 * }</pre>
 *
 * <p>The token must also hold a certificate with the same CKA_ID. The JDK finds the key by this
 * certificate, whose public key verifies every signature; nothing else about the certificate
 * matters. The token is opened at the first signature, and again after a failed one. A refused PIN
 * is not tried again, so that the token does not lock.
 */
public final class Pkcs11Token implements KeySource {
  private final Path library;
  private final Supplier<char[]> pin;
  private final @Nullable Long slot;
  private final @Nullable String alias;
  private final TokenSession session;

  private Pkcs11Token(
      Path library, Supplier<char[]> pin, @Nullable Long slot, @Nullable String alias) {
    this.library = library;
    this.pin = pin;
    this.slot = slot;
    this.alias = alias;
    this.session = new TokenSession(new TokenLibrary(library, slot), pin, alias);
  }

  /**
   * The only key in the library's first slot.
   *
   * @param library the vendor's PKCS#11 library, such as {@code libsofthsm2.so}
   * @param pin called when the token is opened; must return a new array each time, which is
   *     overwritten with zeros after use
   */
  public static Pkcs11Token of(Path library, Supplier<char[]> pin) {
    return new Pkcs11Token(library, pin, null, null);
  }

  /** Selects the slot with this id, as {@code pkcs11-tool --list-slots} shows it. */
  public Pkcs11Token withSlot(long id) {
    return new Pkcs11Token(library, pin, id, alias);
  }

  /** Selects the key whose certificate has this CKA_LABEL, for a token that has several. */
  public Pkcs11Token withAlias(String label) {
    return new Pkcs11Token(library, pin, slot, label);
  }

  @Override
  public SigningKey signingKey(String clientId) {
    return session.key().as(clientId);
  }

  @Override
  public String toString() {
    return "Pkcs11Token[" + library + "]";
  }
}
