package dev.countersign.server;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;

/** Signature headers put together by hand, with parameters that the signer does not send. */
public final class SignatureHeaders {
  private SignatureHeaders() {}

  /**
   * Signs.
   *
   * @param components every covered component with its value, in order
   * @param further further parameters, such as {@code ;nonce="a"}
   * @return Signature-Input and Signature
   */
  public static Map<String, String> headers(
      Map<String, String> components,
      Instant created,
      String keyid,
      String further,
      PrivateKey key) {
    String parameters =
        components.keySet().stream().collect(Collectors.joining("\" \"", "(\"", "\")"))
            + ";created="
            + created.getEpochSecond()
            + ";keyid=\""
            + keyid
            + "\";alg=\"rsa-v1_5-sha256\""
            + further;
    StringBuilder base = new StringBuilder();
    components.forEach((name, value) -> base.append("\"" + name + "\": " + value + "\n"));
    base.append("\"@signature-params\": ").append(parameters);
    try {
      Signature signer = Signature.getInstance("SHA256withRSA");
      signer.initSign(key);
      signer.update(base.toString().getBytes(StandardCharsets.UTF_8));
      String signature = Base64.getEncoder().encodeToString(signer.sign());
      return Map.of("Signature-Input", "sig=" + parameters, "Signature", "sig=:" + signature + ":");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
