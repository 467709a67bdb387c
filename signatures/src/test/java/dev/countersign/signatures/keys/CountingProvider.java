package dev.countersign.signatures.keys;

import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.util.concurrent.atomic.AtomicInteger;

/** The JDK's RSA, with a count of the signatures that it has verified. */
public final class CountingProvider extends Provider {
  private static final long serialVersionUID = 1L;

  private final transient AtomicInteger verifications = new AtomicInteger();

  public CountingProvider() {
    super("Counting", "1", "counts verifications");
    putService(
        new Service(this, "Signature", "SHA256withRSA", "none", null, null) {
          @Override
          public Object newInstance(Object parameter) {
            return new CountingSignature();
          }

          @Override
          public boolean supportsParameter(Object parameter) {
            return true;
          }
        });
  }

  public int verifications() {
    return verifications.get();
  }

  private final class CountingSignature extends SignatureSpi {
    private final Signature jdk = CryptoProvider.jdk().signature("SHA256withRSA");

    @Override
    protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
      jdk.initVerify(key);
    }

    @Override
    protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
      jdk.initSign(key);
    }

    @Override
    protected void engineUpdate(byte b) throws SignatureException {
      jdk.update(b);
    }

    @Override
    protected void engineUpdate(byte[] bytes, int offset, int length) throws SignatureException {
      jdk.update(bytes, offset, length);
    }

    @Override
    protected byte[] engineSign() throws SignatureException {
      return jdk.sign();
    }

    @Override
    protected boolean engineVerify(byte[] signature) throws SignatureException {
      verifications.incrementAndGet();
      return jdk.verify(signature);
    }

    @Override
    @Deprecated
    protected void engineSetParameter(String name, Object value) {
      throw new UnsupportedOperationException(name);
    }

    @Override
    @Deprecated
    protected Object engineGetParameter(String name) {
      throw new UnsupportedOperationException(name);
    }
  }
}
