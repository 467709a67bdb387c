package dev.countersign.signatures.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.security.MessageDigestSpi;
import java.security.Provider;
import java.security.Security;
import org.junit.jupiter.api.Test;

class CryptoProviderTest {

  @Test
  void jdk_anotherProviderInstalledFirst_isStillTheJdk() {
    Provider intruder = new Intruder();
    Security.insertProviderAt(intruder, 1);
    try {
      CryptoProvider jdk = CryptoProvider.jdk();
      assertThat(jdk.digest("SHA-256").getProvider().getName()).isEqualTo("SUN");
      assertThat(jdk.signature("SHA256withRSA").getProvider().getName()).isEqualTo("SunRsaSign");
      assertThat(jdk.keyFactory("RSA").getProvider().getName()).isEqualTo("SunRsaSign");
      assertThat(jdk.keyPairGenerator("RSA").getProvider().getName()).isEqualTo("SunRsaSign");
      assertThat(jdk.signature("Ed25519").getProvider().getName()).isEqualTo("SunEC");
      assertThat(jdk.name()).startsWith("SunRsaSign ");
    } finally {
      Security.removeProvider(intruder.getName());
    }
  }

  @Test
  void of_namesAndUsesThatProviderAlone() {
    CryptoProvider provider = CryptoProvider.of(new Intruder());
    assertThat(provider.name()).isEqualTo("Intruder 1.5");
    assertThat(provider.digest("SHA-256").getProvider()).isInstanceOf(Intruder.class);
    assertThatIllegalStateException()
        .isThrownBy(() -> provider.signature("SHA256withRSA"))
        .withMessage("Intruder 1.5 has no Signature SHA256withRSA");
  }

  @Test
  void of_corretto_doesAllOfOurWork() {
    CryptoProvider corretto = TestedProvider.CORRETTO.get();
    assertThat(corretto.name()).matches("AmazonCorrettoCryptoProvider 2\\.\\d+\\.\\d+");
    assertThat(corretto.signature("SHA256withRSA").getAlgorithm()).isEqualTo("SHA256withRSA");
    assertThat(corretto.keyFactory("RSA").getAlgorithm()).isEqualTo("RSA");
    assertThat(corretto.digest("SHA-256").getAlgorithm()).isEqualTo("SHA-256");
    assertThat(corretto.keyPairGenerator("RSA").getAlgorithm()).isEqualTo("RSA");
  }

  @Test
  void rsaWithoutPadding_providerHasNone_isNotAskedAgain() {
    Intruder asked = new Intruder();
    CryptoProvider provider = CryptoProvider.of(asked);
    assertThat(provider.rsaWithoutPadding()).isEmpty();
    int lookups = asked.cipherLookups;
    assertThat(lookups).isPositive();

    assertThat(provider.rsaWithoutPadding()).isEmpty();

    assertThat(asked.cipherLookups).isEqualTo(lookups);
  }

  private static final class Intruder extends Provider {
    private static final long serialVersionUID = 1L;

    private int cipherLookups;

    Intruder() {
      super("Intruder", "1.5", "claims a digest");
      put("MessageDigest.SHA-256", WrongDigest.class.getName());
    }

    @Override
    public synchronized Service getService(String type, String algorithm) {
      if (type.equals("Cipher")) {
        cipherLookups++;
      }
      return super.getService(type, algorithm);
    }
  }

  /** A digest that is always empty. */
  public static final class WrongDigest extends MessageDigestSpi {
    @Override
    protected void engineUpdate(byte input) {}

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {}

    @Override
    protected byte[] engineDigest() {
      return new byte[0];
    }

    @Override
    protected void engineReset() {}
  }
}
