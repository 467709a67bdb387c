package dev.countersign.signatures;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A partner that signs without this library: the base is built here exactly as in interface.md and
 * signed with the JDK alone.
 */
record HandSigner(String clientId, KeyPair keys) {
  static final HandSigner ALICE = of("cl-alice");
  static final HandSigner BOB = of("cl-bob");

  static final String PARAMETERS = ";created=1709622489;keyid=\"cl-alice\";alg=\"rsa-v1_5-sha256\"";
  static final String GET_COMPONENTS = "(\"@method\" \"@target-uri\" \"date\")";
  static final String POST_COMPONENTS = "(\"@method\" \"@target-uri\" \"content-digest\" \"date\")";
  static final String GET_PARAMS = GET_COMPONENTS + PARAMETERS;
  static final String POST_PARAMS = POST_COMPONENTS + PARAMETERS;

  private static final Pattern COMPONENT = Pattern.compile("\"([^\"]*)\"");

  private static HandSigner of(String clientId) {
    KeyPairGenerator generator = CryptoProvider.jdk().keyPairGenerator("RSA");
    generator.initialize(2048);
    return new HandSigner(clientId, generator.generateKeyPair());
  }

  SigningKey signingKey(CryptoProvider crypto) {
    return new SigningKey(clientId, SignatureAlgorithm.RSA_V1_5_SHA256, keys.getPrivate(), crypto);
  }

  VerificationKey verificationKey(CryptoProvider crypto) {
    return new VerificationKey(SignatureAlgorithm.RSA_V1_5_SHA256, keys.getPublic(), crypto);
  }

  /** Returns the request with its two signature fields, for a text of components and parameters. */
  WireRequest sign(WireRequest request, String signatureParams) {
    return request
        .with("Signature-Input", "sig=" + signatureParams)
        .with("Signature", "sig=:" + signature(base(request, signatureParams)) + ":");
  }

  static String base(WireRequest request, String signatureParams) {
    StringBuilder base = new StringBuilder();
    int end = Math.max(0, signatureParams.indexOf(')'));
    Matcher components = COMPONENT.matcher(signatureParams.substring(0, end));
    while (components.find()) {
      String name = components.group(1);
      base.append('"').append(name).append("\": ").append(value(request, name)).append('\n');
    }
    return base.append("\"@signature-params\": ").append(signatureParams).toString();
  }

  private static String value(WireRequest request, String name) {
    return switch (name) {
      case "@method" -> request.method();
      case "@target-uri" -> request.targetUri();
      default -> String.join(", ", request.fieldLines(name).stream().map(String::trim).toList());
    };
  }

  String signature(String base) {
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(keys.getPrivate());
      signature.update(base.getBytes(US_ASCII));
      return Base64.getEncoder().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
