package dev.countersign.signatures.keys;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.security.Signature;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.Mac;

/**
 * The source of cryptographic algorithms: the JDK's own code, or one provider that the caller
 * passes in (for example Amazon Corretto's native one). This library obtains each algorithm from an
 * instance of this class and not from the JVM-wide list of providers. A provider that another
 * library installs therefore changes nothing here.
 *
 * <p>Algorithm names are those of the <a
 * href="https://docs.oracle.com/en/java/javase/17/docs/specs/security/standard-names.html">Java
 * Security Standard Algorithm Names</a>. If the provider lacks an algorithm, an {@link
 * IllegalStateException} is thrown; there is no silent fallback to another provider.
 */
public final class CryptoProvider {
  // Each of the JDK's providers offers only some of the algorithms. The first provider in this list
  // that offers an algorithm is used.
  private static final List<String> JDK_NAMES = List.of("SunRsaSign", "SUN", "SunEC", "SunJCE");

  private static final String CORRETTO =
      "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider";
  private static final Service PLAIN_RSA = new Service("Cipher", "RSA/ECB/NoPadding");

  private final List<Provider> providers;
  // Absent services are remembered as well, because otherwise each verification would search again.
  private final Map<Service, Optional<Provider>> found = new ConcurrentHashMap<>();

  private CryptoProvider(List<Provider> providers) {
    this.providers = providers;
  }

  /**
   * The JDK's own providers, by name, whatever their position in the JVM's list. If the JVM has
   * none of them (as in some FIPS builds), all providers of the JVM's list, in the list's order.
   */
  public static CryptoProvider jdk() {
    return Jdk.INSTANCE;
  }

  /** Only this provider, whether or not it is installed in the JVM. */
  public static CryptoProvider of(Provider provider) {
    return new CryptoProvider(List.of(provider));
  }

  /**
   * Amazon Corretto Crypto Provider if it is on the class path, loads its native library and passes
   * its self-tests; otherwise {@link #jdk()}.
   *
   * @param report receives the name of the chosen provider and, if it is not Corretto's, the reason
   */
  public static CryptoProvider best(Consumer<String> report) {
    String reason;
    try {
      CryptoProvider corretto = corretto();
      report.accept(corretto.name());
      return corretto;
    } catch (ClassNotFoundException absent) {
      reason = "is not on the class path";
    } catch (IllegalStateException unusable) {
      reason = "cannot be used, " + unusable.getMessage();
    }
    report.accept(jdk().name() + ": Corretto Crypto Provider " + reason);
    return jdk();
  }

  /**
   * Amazon Corretto Crypto Provider, which verifies signatures about twice as fast as the JDK's
   * providers. It is optional, and not available for all platforms.
   *
   * @throws ClassNotFoundException if it is not on the class path
   * @throws IllegalStateException if it cannot be loaded or its self-tests fail
   */
  public static CryptoProvider corretto() throws ClassNotFoundException {
    try {
      // Uses reflection, because the classes exist only on the platforms that the provider
      // supports. Class.forName already runs code of the provider, which can fail.
      Class<?> type = Class.forName(CORRETTO);
      Object instance = type.getField("INSTANCE").get(null);
      if (type.getMethod("getLoadingError").invoke(instance) instanceof Throwable error) {
        throw new IllegalStateException(
            "its native library cannot be loaded: " + error.getMessage(), error);
      }
      String status = String.valueOf(type.getMethod("runSelfTests").invoke(instance));
      if (!status.equals("PASSED")) {
        throw new IllegalStateException("its self-test reports " + status);
      }
      return of((Provider) instance);
    } catch (ClassNotFoundException absent) {
      throw absent;
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException("it cannot be loaded: " + e, e);
    }
  }

  /**
   * The name and version of the provider for RSA signatures: {@code AmazonCorrettoCryptoProvider
   * 2.5.0}.
   */
  public String name() {
    return providers.stream()
        .filter(provider -> provider.getService("Signature", "SHA256withRSA") != null)
        .findFirst()
        .map(CryptoProvider::describe)
        .orElseGet(() -> describe(providers.get(0)));
  }

  public Signature signature(String algorithm) {
    return find("Signature", algorithm, Signature::getInstance);
  }

  public KeyFactory keyFactory(String algorithm) {
    return find("KeyFactory", algorithm, KeyFactory::getInstance);
  }

  public MessageDigest digest(String algorithm) {
    return find("MessageDigest", algorithm, MessageDigest::getInstance);
  }

  public Mac mac(String algorithm) {
    return find("Mac", algorithm, Mac::getInstance);
  }

  public KeyPairGenerator keyPairGenerator(String algorithm) {
    return find("KeyPairGenerator", algorithm, KeyPairGenerator::getInstance);
  }

  /**
   * RSA without padding, which applies a public key to a signature (RFC 8017 section 5.2.2). Empty
   * if the provider does not offer it; some FIPS-validated providers do not.
   */
  public Optional<Cipher> rsaWithoutPadding() {
    return found
        .computeIfAbsent(PLAIN_RSA, service -> first(provider -> plainRsa(provider).isPresent()))
        .flatMap(CryptoProvider::plainRsa);
  }

  private static Optional<Cipher> plainRsa(Provider provider) {
    try {
      return Optional.of(Cipher.getInstance(PLAIN_RSA.algorithm(), provider));
    } catch (GeneralSecurityException notOffered) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return name();
  }

  private <T> T find(String type, String algorithm, Factory<T> factory) {
    Provider provider =
        found
            .computeIfAbsent(
                new Service(type, algorithm),
                service -> first(p -> p.getService(type, algorithm) != null))
            .orElseThrow(
                () -> new IllegalStateException(name() + " has no " + type + " " + algorithm));
    try {
      return factory.create(algorithm, provider);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(name() + " cannot create " + type + " " + algorithm, e);
    }
  }

  private Optional<Provider> first(Predicate<Provider> offers) {
    return providers.stream().filter(offers).findFirst();
  }

  /** A requested service. The names come only from our own code, so the map stays small. */
  private record Service(String type, String algorithm) {}

  static String describe(Provider provider) {
    return provider.getName() + " " + provider.getVersionStr();
  }

  @FunctionalInterface
  private interface Factory<T> {
    T create(String algorithm, Provider provider) throws NoSuchAlgorithmException;
  }

  private static final class Jdk {
    static final CryptoProvider INSTANCE = new CryptoProvider(providers());

    private static List<Provider> providers() {
      List<Provider> own =
          JDK_NAMES.stream()
              .flatMap(name -> Stream.ofNullable(Security.getProvider(name)))
              .toList();
      return own.isEmpty() ? List.of(Security.getProviders()) : own;
    }
  }
}
