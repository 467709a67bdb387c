package dev.countersign.server.portal.requests;

import dev.countersign.server.http.PortalServlet;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The fields of the filter on the page Requests, as typed. The address of the page has a parameter
 * with the same name for each field.
 */
record FilterForm(
    @Nullable String client,
    @Nullable String outcome,
    @Nullable String status,
    @Nullable String reason,
    @Nullable String path,
    @Nullable String standing,
    @Nullable String from,
    @Nullable String to) {
  static final String REQUESTS = PortalServlet.PATH + "/requests";

  /** Returns the address of the page with this filter. */
  public String address() {
    return address(REQUESTS, Map.of());
  }

  /** Returns the address of a part of the page, with this filter and further parameters. */
  public String address(String path, Map<String, ?> further) {
    Map<String, Object> all = new LinkedHashMap<>(filled());
    all.putAll(further);
    String query =
        all.entrySet().stream()
            .map(field -> field.getKey() + "=" + encoded(field.getValue().toString()))
            .collect(Collectors.joining("&"));
    return query.isEmpty() ? path : path + "?" + query;
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** Returns the fields that are not empty, by name. */
  Map<String, String> filled() {
    Map<String, @Nullable String> fields = new LinkedHashMap<>();
    fields.put("client", client);
    fields.put("outcome", outcome);
    fields.put("status", status);
    fields.put("reason", reason);
    fields.put("path", path);
    fields.put("standing", standing);
    fields.put("from", from);
    fields.put("to", to);
    Map<String, String> filled = new LinkedHashMap<>();
    fields.forEach(
        (name, value) -> {
          if (value != null && !value.isBlank()) {
            filled.put(name, value.strip());
          }
        });
    return filled;
  }
}
