package dev.countersign.client.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.signatures.ExternalSigner;
import dev.countersign.signatures.SigningException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalKeyTest {
  private static final NewKeyPair PAIR = NewKeyPair.generate(2048);
  private static final NewKeyPair OTHER = NewKeyPair.generate(2048);

  @TempDir Path folder;
  private PrivateKey vault;

  @BeforeEach
  void vault() {
    PAIR.writePrivateKeyTo(folder.resolve("vault"));
    vault = AnyKeys.privateKey(folder.resolve("vault"));
  }

  @Test
  void signature_ofTheVault_verifies() throws Exception {
    ExternalKey key = ExternalKey.of(AnyKeys.publicKey(PAIR), signer("SHA256withRSA"));

    assertThat(Signed.by(key).verifiesWith(PAIR.publicPem())).isTrue();
  }

  @Test
  void signature_ofAnotherKey_isNotHandedOut() {
    ExternalKey key = ExternalKey.of(AnyKeys.publicKey(OTHER), signer("SHA256withRSA"));

    assertThatThrownBy(() -> Signed.by(key))
        .isInstanceOf(SigningException.class)
        .hasMessageContaining("does not verify with the public key: the signer has another key");
  }

  @Test
  void signature_ofAnotherAlgorithm_isNotHandedOut() {
    ExternalKey key = ExternalKey.of(AnyKeys.publicKey(PAIR), signer("SHA512withRSA"));

    assertThatThrownBy(() -> Signed.by(key)).isInstanceOf(SigningException.class);
  }

  @Test
  void signature_thatIsNone_isNotHandedOut() {
    ExternalKey key = ExternalKey.of(AnyKeys.publicKey(PAIR), base -> new byte[] {1, 2, 3});

    assertThatThrownBy(() -> Signed.by(key)).isInstanceOf(SigningException.class);
  }

  @Test
  void vault_thatFails_isHeard() {
    ExternalKey key =
        ExternalKey.of(
            AnyKeys.publicKey(PAIR),
            base -> {
              throw new SigningException("the vault is sealed");
            });

    assertThatThrownBy(() -> Signed.by(key)).hasMessage("the vault is sealed");
  }

  @Test
  void vault_thatThrowsItsOwn_hasNotSigned() {
    IllegalStateException own = new IllegalStateException("HTTP 503");
    ExternalKey key =
        ExternalKey.of(
            AnyKeys.publicKey(PAIR),
            base -> {
              throw own;
            });

    assertThatThrownBy(() -> Signed.by(key))
        .isInstanceOf(SigningException.class)
        .hasMessage("the external signer failed with IllegalStateException")
        .hasCause(own);
  }

  @Test
  void vault_thatGivesNothing_hasNotSigned() {
    for (byte[] nothing : new byte[][] {null, {}}) {
      ExternalKey key = ExternalKey.of(AnyKeys.publicKey(PAIR), base -> nothing);

      assertThatThrownBy(() -> Signed.by(key))
          .isInstanceOf(SigningException.class)
          .hasMessage("the external signer returned no signature");
    }
  }

  @Test
  void publicKey_thatIsWeak_isRefused() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);
    RSAPublicKey weak = (RSAPublicKey) generator.generateKeyPair().getPublic();

    assertThatThrownBy(() -> ExternalKey.of(weak, base -> base))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("1024 bits");
  }

  private ExternalSigner signer(String algorithm) {
    return base -> {
      try {
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(vault);
        signature.update(base);
        return signature.sign();
      } catch (GeneralSecurityException e) {
        throw new SigningException("the vault has not signed", e);
      }
    };
  }
}
