package dev.countersign.server.portal;

import dev.countersign.server.TestService;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.operators.TestOperators;
import dev.countersign.server.operators.sessions.SessionStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A browser without a window: it keeps cookies, repeats the token of forms, and follows no
 * redirects.
 */
public final class PortalClient {
  public static final String SESSION = "__Host-countersign-session";
  public static final String PASSWORD = "violet kettle over nine hills";

  private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\" value=\"([^\"]*)\"");
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static final AtomicInteger ACCOUNTS = new AtomicInteger();

  private final String portal;
  private final String name;
  private final Map<String, String> cookies = new LinkedHashMap<>();
  private final Map<String, String> headers = new LinkedHashMap<>();

  private PortalClient(String portal, String name) {
    this.portal = portal;
    this.name = name;
  }

  /** A client without an account. */
  public static PortalClient stranger(TestService service) {
    return new PortalClient(service.portalUrl(), "");
  }

  /** A new administrator with its own name and {@link #PASSWORD}, signed in. */
  public static PortalClient administrator(TestService service) {
    return operator(service, OperatorRole.ADMINISTRATOR, "alice-");
  }

  /** A new viewer with its own name and {@link #PASSWORD}, signed in. */
  public static PortalClient viewer(TestService service) {
    return operator(service, OperatorRole.VIEWER, "vera-");
  }

  private static PortalClient operator(TestService service, OperatorRole role, String prefix) {
    String name = prefix + ACCOUNTS.incrementAndGet();
    TestOperators.add(service, name, role, PASSWORD);
    return new PortalClient(service.portalUrl(), name).enter(service);
  }

  /** The name of this client's account. */
  public String name() {
    return name;
  }

  /** The id of this client's account. */
  public String id(TestService service) {
    return service.part(OperatorStore.class).named(name).id();
  }

  /** Returns this client in a new session of its account, without hashing a password. */
  public PortalClient enter(TestService service) {
    OperatorStore operators = service.part(OperatorStore.class);
    cookies.put(
        SESSION,
        service
            .part(SessionStore.class)
            .start(operators.named(name), InetAddress.getLoopbackAddress(), "test")
            .token());
    return this;
  }

  /** Returns the same account on another device, in its own session. */
  public PortalClient elsewhere(TestService service) {
    return new PortalClient(portal, name).enter(service);
  }

  /** Returns this client after it has signed in. */
  public PortalClient signedIn(String name, String password) {
    Answer answer = signIn(name, password);
    if (!answer.header("location").equals("/portal")) {
      throw new AssertionError("not signed in: " + answer);
    }
    return this;
  }

  public Answer signIn(String name, String password) {
    return post("/sign-in", Map.of("name", name, "password", password));
  }

  /** Sends a header with every request from now on. */
  public PortalClient with(String name, String value) {
    headers.put(name, value);
    return this;
  }

  public Map<String, String> cookies() {
    return cookies;
  }

  /** Sends a GET of a path below the portal, with its query. */
  public Answer get(String path) {
    return send(HttpRequest.newBuilder(URI.create(portal + path)).GET());
  }

  /** Sends a POST of a form with the token that forms have. */
  public Answer post(String path, Map<String, String> form) {
    Map<String, String> fields = new LinkedHashMap<>(form);
    fields.put("_csrf", token());
    return postAsIs(path, fields);
  }

  /** Sends a POST of only these fields. */
  public Answer postAsIs(String path, Map<String, String> form) {
    return send(
        HttpRequest.newBuilder(URI.create(portal + path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(encoded(form))));
  }

  /** Returns the token of the forms, as any page with a form contains it. */
  public String token() {
    Answer page = get("/sign-in");
    if (page.status() == 302) {
      page = get("/listings");
    }
    Matcher token = TOKEN.matcher(page.body());
    if (!token.find()) {
      throw new AssertionError("a page without a form: " + page);
    }
    return token.group(1);
  }

  private static String encoded(Map<String, String> form) {
    return form.entrySet().stream()
        .map(
            field ->
                URLEncoder.encode(field.getKey(), StandardCharsets.UTF_8)
                    + "="
                    + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  private Answer send(HttpRequest.Builder request) {
    headers.forEach(request::header);
    if (!cookies.isEmpty()) {
      request.header(
          "Cookie",
          cookies.entrySet().stream()
              .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
              .collect(Collectors.joining("; ")));
    }
    try {
      HttpResponse<String> response =
          HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
      response.headers().allValues("set-cookie").forEach(this::keep);
      return new Answer(response);
    } catch (IOException e) {
      throw new AssertionError("no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private void keep(String setCookie) {
    String[] pair = setCookie.split(";", 2)[0].split("=", 2);
    if (pair[1].isEmpty()) {
      cookies.remove(pair[0]);
    } else {
      cookies.put(pair[0], pair[1]);
    }
  }

  /** The response. */
  public record Answer(HttpResponse<String> response) {
    public int status() {
      return response.statusCode();
    }

    public String body() {
      return response.body();
    }

    /** Returns the first line of a header field; empty if there is none. */
    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    /** Returns this response, which must have the given status. */
    public Answer expect(int status) {
      if (status() != status) {
        throw new AssertionError("expected " + status + ", was " + this);
      }
      return this;
    }

    @Override
    public String toString() {
      return status() + " " + header("location") + "\n" + body();
    }
  }
}
