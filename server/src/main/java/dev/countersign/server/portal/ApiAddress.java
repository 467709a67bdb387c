package dev.countersign.server.portal;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.function.IntSupplier;

/** The address of the API, for the examples that the portal shows. */
public final class ApiAddress {
  private final List<URI> publicUrls;
  private final boolean hasTls;
  private final IntSupplier port;

  /**
   * Creates the address of a service.
   *
   * @param publicUrls the configured public URLs
   * @param hasTls whether the API has TLS; the portal may have none
   * @param port the local port, used if there are no public URLs
   */
  public ApiAddress(List<URI> publicUrls, boolean hasTls, IntSupplier port) {
    this.publicUrls = List.copyOf(publicUrls);
    this.hasTls = hasTls;
    this.port = port;
  }

  /** Returns the URL to which the paths of listings are appended. It does not end with a slash. */
  public String baseUrl(HttpServletRequest request) {
    if (!publicUrls.isEmpty()) {
      return publicUrls.getFirst().toString().replaceAll("/$", "");
    }
    return (hasTls ? "https://" : "http://") + request.getServerName() + ":" + port.getAsInt();
  }
}
