package dev.countersign.client.keys;

import dev.countersign.signatures.keys.RsaPublicKeys;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Provider;
import java.util.concurrent.atomic.AtomicInteger;

/** Signs twice with a key on a token and prints the outcome; started as its own process. */
final class TokenSigning {
  private final Path library;
  private final String pin;
  private final String alias;

  private TokenSigning(Path library, String pin, String alias) {
    this.library = library;
    this.pin = pin;
    this.alias = alias;
  }

  /** Arguments: library, PIN, alias or {@code -}, and {@code --slot=ID} if not the first. */
  public static void main(String[] args) throws Exception {
    TokenSigning signing = new TokenSigning(Path.of(args[0]), args[1], args[2]);
    Long slot = args.length > 3 ? Long.valueOf(args[3].substring("--slot=".length())) : null;
    signing.run(slot);
    System.exit(0);
  }

  private void run(Long slot) throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Pkcs11Token token =
        Pkcs11Token.of(
            library,
            () -> {
              asked.incrementAndGet();
              return pin.toCharArray();
            });
    Pkcs11Token first = slot == null ? token : token.withSlot(slot);
    Pkcs11Token chosen = alias.equals("-") ? first : first.withAlias(alias);
    try {
      Signed.by(chosen);
      show(chosen);
    } catch (KeyException e) {
      System.out.println(e);
      try {
        chosen.signingKey("c1");
      } catch (KeyException again) {
        System.out.println("asked for the PIN: " + asked.get());
        String third = new TokenLibrary(library, null).provider().getName();
        System.out.println("providers before " + third);
      }
    }
  }

  private void show(KeySource token) throws Exception {
    Provider provider = new TokenLibrary(library, null).provider();
    KeyStore store = KeyStore.getInstance("PKCS11", provider);
    store.load(null, pin.toCharArray());
    System.out.println("encoded: " + store.getKey(alias, null).getEncoded());
    String publicPem = RsaPublicKeys.toPem(store.getCertificate(alias).getPublicKey());
    System.out.println("verifies: " + Signed.by(token).verifiesWith(publicPem));
    System.out.println("keyid: " + token.signingKey("c1").keyid());
  }
}
