package dev.countersign.server.portal;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.function.IntSupplier;

/** Where partners reach the API, for the examples that the portal shows. */
public final class ApiAddress {
  private final List<URI> publicUrls;
  private final IntSupplier port;

  /**
   * The address of a service.
   *
   * @param publicUrls as the configuration has them
   * @param port where it listens on this machine, for a service without public URLs
   */
  public ApiAddress(List<URI> publicUrls, IntSupplier port) {
    this.publicUrls = List.copyOf(publicUrls);
    this.port = port;
  }

  /** The URL that paths of listings are appended to, without a slash at its end. */
  public String baseUrl(HttpServletRequest request) {
    if (!publicUrls.isEmpty()) {
      return publicUrls.getFirst().toString().replaceAll("/$", "");
    }
    return request.getScheme() + "://" + request.getServerName() + ":" + port.getAsInt();
  }
}
