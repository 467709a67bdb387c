package dev.countersign.server.portal;

import dev.countersign.server.TestService;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A browser without a window: it keeps cookies, repeats the token of forms, follows nothing. */
public final class PortalClient {
  public static final String NAME = "alice";
  public static final String PASSWORD = "violet kettle over nine hills";

  private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\" value=\"([^\"]*)\"");
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final String portal;
  private final Map<String, String> cookies = new LinkedHashMap<>();
  private final Map<String, String> headers = new LinkedHashMap<>();

  private PortalClient(String portal) {
    this.portal = portal;
  }

  /** Nobody in particular. */
  public static PortalClient stranger(TestService service) {
    return new PortalClient(service.portalUrl());
  }

  /** The first administrator of a new service, {@link #NAME} with {@link #PASSWORD}, signed in. */
  public static PortalClient administrator(TestService service) {
    PortalClient client = stranger(service);
    client.redeem(service.firstLink(), NAME, PASSWORD);
    return client.signedIn(NAME, PASSWORD);
  }

  /** That administrator, on another device. */
  public static PortalClient signedInAgain(TestService service) {
    return stranger(service).signedIn(NAME, PASSWORD);
  }

  /** A viewer whom an administrator makes, signed in. */
  public static PortalClient viewer(PortalClient administrator, String name) {
    Answer added =
        administrator.post("/operators", Map.of("name", name, "role", "VIEWER")).expect(200);
    Matcher link = Pattern.compile("setup#[A-Za-z0-9_-]+").matcher(added.body());
    if (!link.find()) {
      throw new AssertionError("no link on the page: " + added.body());
    }
    PortalClient viewer = new PortalClient(administrator.portal);
    viewer.redeem(link.group(), "", PASSWORD);
    return viewer.signedIn(name, PASSWORD);
  }

  private void redeem(String link, String name, String password) {
    String token = link.substring(link.indexOf('#') + 1);
    post("/setup", Map.of("token", token, "name", name, "password", password, "again", password))
        .expect(302);
  }

  /** This client, once it has signed in. */
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

  /** A GET of a path below the portal, with its query. */
  public Answer get(String path) {
    return send(HttpRequest.newBuilder(URI.create(portal + path)).GET());
  }

  /** A POST of a form with the token that forms have. */
  public Answer post(String path, Map<String, String> form) {
    Map<String, String> fields = new LinkedHashMap<>(form);
    fields.put("_csrf", token());
    return postAsIs(path, fields);
  }

  /** A POST of just these fields. */
  public Answer postAsIs(String path, Map<String, String> form) {
    return send(
        HttpRequest.newBuilder(URI.create(portal + path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(encoded(form))));
  }

  /** The token of the forms, as any page with a form has it. */
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

  /** What came back. */
  public record Answer(HttpResponse<String> response) {
    public int status() {
      return response.statusCode();
    }

    public String body() {
      return response.body();
    }

    /** The first line of a header field; empty where there is none. */
    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    /** This answer, which has to have a status. */
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
