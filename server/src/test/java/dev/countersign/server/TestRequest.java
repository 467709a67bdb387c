package dev.countersign.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.mock.web.MockHttpServletRequest;

/**
 * A request that has yet to be signed. It is signed step by step as interface.md describes, without
 * the product's code, so that a test can change any step. A change to the result of {@link
 * #request} instead comes after the signature.
 *
 * @param unsigned the request without this signature
 * @param url the target URI that is signed
 * @param components the covered components, as in Signature-Input
 * @param label the label of the signature
 * @param parameters the parameters of the signature, with a leading semicolon
 */
public record TestRequest(
    RawRequest unsigned,
    String url,
    List<String> components,
    String label,
    String parameters,
    PrivateKey key) {
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  /**
   * A request as a client sends it: it covers Content-Digest if there is a body, and Date.
   *
   * @param body JSON, or empty for none
   */
  static TestRequest of(TestClient client, String method, String target, String body) {
    String host = "localhost:" + client.port();
    RawRequest bare = new RawRequest(client.port(), method, target, Map.of("Host", host), "");
    TestRequest request =
        new TestRequest(
            bare,
            "http://" + host + target,
            List.of("\"@method\"", "\"@target-uri\""),
            "sig",
            String.format(
                Locale.ROOT, ";created=0;keyid=\"%s\";alg=\"rsa-v1_5-sha256\"", client.clientId()),
            client.privateKey());
    if (!body.isEmpty()) {
      request =
          request
              .unsigned(bare.with("Content-Type", "application/json").withBody(body))
              .with("Content-Digest", contentDigest(body));
    }
    return request.createdAt(Instant.now());
  }

  /** The value of Content-Digest for a body (RFC 9530 section 2). */
  public static String contentDigest(String body) {
    return "sha-256=:" + digest("SHA-256", body) + ":";
  }

  /** The digest of a text in base64. */
  static String digest(String algorithm, String text) {
    try {
      return Base64.getEncoder()
          .encodeToString(MessageDigest.getInstance(algorithm).digest(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The signature of a text by RSASSA-PKCS1-v1_5 with SHA-256, in base64. */
  public static String signature(String text, PrivateKey key) {
    try {
      Signature signer = Signature.getInstance("SHA256withRSA");
      signer.initSign(key);
      signer.update(text.getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(signer.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static String httpDate(Instant instant) {
    return HTTP_DATE.format(instant);
  }

  String method() {
    return unsigned.method();
  }

  String body() {
    return unsigned.body();
  }

  /** The value of a field. */
  String field(String name) {
    return unsigned.header(name);
  }

  /** Returns the request with another value of a covered field, or with one more. */
  public TestRequest with(String field, String value) {
    List<String> more = new ArrayList<>(components);
    if (!more.contains(component(field))) {
      more.add(component(field));
    }
    return unsigned(unsigned.with(field, value)).covering(more);
  }

  /** Returns the request without a covered field. */
  TestRequest without(String field) {
    List<String> fewer = new ArrayList<>(components);
    fewer.remove(component(field));
    return unsigned(unsigned.without(field)).covering(fewer);
  }

  private static String component(String field) {
    return '"' + field.toLowerCase(Locale.ROOT) + '"';
  }

  TestRequest covering(List<String> others) {
    return new TestRequest(unsigned, url, others, label, parameters, key);
  }

  /** Returns the request with other parts that the signature does not cover. */
  public TestRequest unsigned(RawRequest other) {
    return new TestRequest(other, url, components, label, parameters, key);
  }

  /** Returns the request with another signed URL. It is sent to the same place. */
  TestRequest withUrl(String other) {
    return new TestRequest(unsigned, other, components, label, parameters, key);
  }

  /** Returns the request to another origin, such as {@code https://api.example.com}. */
  public TestRequest at(String origin) {
    return unsigned(unsigned.with("Host", origin.replaceFirst(".*//", "")))
        .withUrl(origin + unsigned.target());
  }

  /** Returns the request with other parameters, such as {@code ;created=1}. */
  TestRequest withParameters(String others) {
    return new TestRequest(unsigned, url, components, label, others, key);
  }

  /** Returns the request with more parameters. */
  public TestRequest withMore(String more) {
    return withParameters(parameters + more);
  }

  /** Returns the request with the first match in its parameters replaced. */
  TestRequest withParameter(String regex, String replacement) {
    return withParameters(parameters.replaceFirst(regex, replacement));
  }

  TestRequest labelled(String other) {
    return new TestRequest(unsigned, url, components, other, parameters, key);
  }

  TestRequest signedBy(PrivateKey other) {
    return new TestRequest(unsigned, url, components, label, parameters, other);
  }

  /** Returns the request with created and Date at this instant. */
  public TestRequest createdAt(Instant created) {
    return with("Date", httpDate(created))
        .withParameter("created=[0-9]+", "created=" + created.getEpochSecond());
  }

  /** Returns the request with created and Date this many seconds from now. */
  TestRequest createdIn(long seconds) {
    return createdAt(Instant.now().plusSeconds(seconds));
  }

  /** The signed request. A signature that it had before stays, on lines before this one's. */
  public RawRequest request() {
    String input = "(" + String.join(" ", components) + ")" + parameters;
    StringBuilder base = new StringBuilder();
    for (String component : components) {
      base.append(component).append(": ").append(value(component)).append('\n');
    }
    base.append("\"@signature-params\": ").append(input);
    return unsigned
        .withLine("Signature-Input", label + "=" + input)
        .withLine("Signature", label + "=:" + signature(base.toString(), key) + ":");
  }

  private String value(String component) {
    String name = component.split("\"")[1];
    return switch (name) {
      case "@method" -> method();
      case "@target-uri" -> url;
      case "signature" -> unsigned.header("Signature").replaceFirst("^[^=]*=", "");
      default -> unsigned.header(name);
    };
  }

  public RawResponse send() {
    return request().send();
  }

  /** The signed request as a servlet container passes it to the filter. */
  public MockHttpServletRequest servletRequest() {
    String[] target = unsigned.target().split("\\?", 2);
    MockHttpServletRequest servlet = new MockHttpServletRequest(method(), target[0]);
    servlet.setQueryString(target.length == 1 ? null : target[1]);
    servlet.setScheme(url.replaceFirst(":.*", ""));
    request().headers().forEach(servlet::addHeader);
    servlet.setContent(body().getBytes(UTF_8));
    return servlet;
  }

  /** A test report must not contain the key. */
  @Override
  public String toString() {
    return method() + " " + url;
  }
}
