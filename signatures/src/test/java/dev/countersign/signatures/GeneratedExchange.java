package dev.countersign.signatures;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.ResponseMessage;
import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.keys.CryptoProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A request and the response to it in their parts, as a property makes them up; every change makes
 * a copy. The digests follow the bodies, unless a field of that name was changed.
 */
record GeneratedExchange(
    String method,
    String scheme,
    String authority,
    String path,
    Map<String, String> query,
    Map<String, List<String>> fields,
    String body,
    int status,
    Map<String, List<String>> responseFields,
    String responseBody) {

  GeneratedExchange withMethod(String other) {
    return new GeneratedExchange(
        other, scheme, authority, path, query, fields, body, status, responseFields, responseBody);
  }

  GeneratedExchange withScheme(String other) {
    return new GeneratedExchange(
        method, other, authority, path, query, fields, body, status, responseFields, responseBody);
  }

  GeneratedExchange withAuthority(String other) {
    return new GeneratedExchange(
        method, scheme, other, path, query, fields, body, status, responseFields, responseBody);
  }

  GeneratedExchange withPath(String other) {
    return new GeneratedExchange(
        method,
        scheme,
        authority,
        other,
        query,
        fields,
        body,
        status,
        responseFields,
        responseBody);
  }

  GeneratedExchange withParameter(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(query);
    more.put(name, value);
    return new GeneratedExchange(
        method, scheme, authority, path, more, fields, body, status, responseFields, responseBody);
  }

  GeneratedExchange withStatus(int other) {
    return new GeneratedExchange(
        method, scheme, authority, path, query, fields, body, other, responseFields, responseBody);
  }

  GeneratedExchange withField(String name, List<String> lines) {
    return new GeneratedExchange(
        method,
        scheme,
        authority,
        path,
        query,
        with(fields, name, lines),
        body,
        status,
        responseFields,
        responseBody);
  }

  GeneratedExchange withResponseField(String name, List<String> lines) {
    return new GeneratedExchange(
        method,
        scheme,
        authority,
        path,
        query,
        fields,
        body,
        status,
        with(responseFields, name, lines),
        responseBody);
  }

  private static Map<String, List<String>> with(
      Map<String, List<String>> fields, String name, List<String> lines) {
    Map<String, List<String>> more = new LinkedHashMap<>(fields);
    more.put(name, lines);
    return more;
  }

  /** This exchange with the digests of its bodies among the fields. */
  GeneratedExchange withDigests() {
    GeneratedExchange digested = this;
    if (!body.isEmpty()) {
      digested = digested.withField("content-digest", List.of(digest(body)));
    }
    return responseBody.isEmpty()
        ? digested
        : digested.withResponseField("content-digest", List.of(digest(responseBody)));
  }

  private static String digest(String body) {
    return ContentDigest.of(body.getBytes(US_ASCII), CryptoProvider.jdk()).serialize();
  }

  String queryText() {
    return query.entrySet().stream()
        .map(parameter -> parameter.getKey() + '=' + parameter.getValue())
        .collect(Collectors.joining("&", query.isEmpty() ? "" : "?", ""));
  }

  RequestMessage request() {
    return new RequestMessage() {
      @Override
      public String method() {
        return method;
      }

      @Override
      public String targetUri() {
        return scheme + "://" + authority + path + queryText();
      }

      @Override
      public List<String> fieldLines(String lowerCaseName) {
        return new ArrayList<>(fields.getOrDefault(lowerCaseName, List.of()));
      }

      @Override
      public BodyFraming bodyFraming() {
        return body.isEmpty() ? BodyFraming.NONE : BodyFraming.PRESENT;
      }
    };
  }

  ResponseMessage response() {
    return new ResponseMessage() {
      @Override
      public int status() {
        return status;
      }

      @Override
      public Optional<RequestMessage> request() {
        return Optional.of(GeneratedExchange.this.request());
      }

      @Override
      public List<String> fieldLines(String lowerCaseName) {
        return new ArrayList<>(responseFields.getOrDefault(lowerCaseName, List.of()));
      }

      @Override
      public BodyFraming bodyFraming() {
        return responseBody.isEmpty() ? BodyFraming.NONE : BodyFraming.PRESENT;
      }
    };
  }
}
