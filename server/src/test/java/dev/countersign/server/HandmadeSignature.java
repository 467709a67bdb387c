package dev.countersign.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;

/** The two signature headers, built step by step without our own code. */
public final class HandmadeSignature {
  private HandmadeSignature() {}

  /**
   * Signs.
   *
   * @param components every covered component with its value, in order
   * @param parameters what follows the list of components, such as {@code ;created=1}
   * @return Signature-Input and Signature
   */
  public static Map<String, String> headers(
      Map<String, String> components, String parameters, PrivateKey key) {
    String signatureParams =
        components.keySet().stream().collect(Collectors.joining("\" \"", "(\"", "\")"))
            + parameters;
    StringBuilder base = new StringBuilder();
    components.forEach((name, value) -> base.append("\"" + name + "\": " + value + "\n"));
    base.append("\"@signature-params\": ").append(signatureParams);
    return Map.of(
        "Signature-Input", "sig=" + signatureParams,
        "Signature", "sig=:" + signature(base.toString(), key) + ":");
  }

  private static String signature(String base, PrivateKey key) {
    try {
      Signature signer = Signature.getInstance("SHA256withRSA");
      signer.initSign(key);
      signer.update(base.getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(signer.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
