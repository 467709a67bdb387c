package dev.countersign.server.access;

import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.http.SignatureFilter;
import dev.countersign.signatures.VerifiedSignature;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Replaces {@link SignatureFilter} of the product, and admits everybody as the same client. It does
 * everything except verification, so that the difference from the product is verification alone: it
 * names the client for the log, finds and authorizes the operation, and passes on the target.
 *
 * <p>Design note: this class is in the product's package, like the product's tests, because no
 * class outside the package can create a {@link SignedRequest}. The product has no such class, and
 * no switch that enables one.
 */
public final class StandInFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final byte[] NO_BODY = {};

  private final transient VerifiedSignature signature;
  private final transient RegisteredClient client;
  private final transient Operation.Finder operations;

  /**
   * Creates a filter that passes the same proof to every operation.
   *
   * @param signature the verified signature of any request; only this library's verifier creates
   *     one
   */
  public StandInFilter(
      VerifiedSignature signature, Set<Permission> permissions, Operation.Finder operations) {
    this.signature = signature;
    this.operations = operations;
    String clientId = signature.parameters().keyid().orElseThrow();
    this.client =
        new RegisteredClient(
            clientId,
            true,
            NetworkWhitelist.parse(List.of("127.0.0.1")),
            permissions,
            Map.of(),
            List.of());
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String targetUri =
        request.getScheme() + "://" + request.getHeader("Host") + ServletMessage.rawTarget(request);
    InetAddress address = InetAddress.getLoopbackAddress();
    RequestFacts facts = RequestFacts.of(request);
    facts.noteNamed(client, address);
    CallingClient caller = new CallingClient(client, address, "a fingerprint", facts, () -> {});
    Operation operation =
        operations.find(request.getMethod(), request.getRequestURI()).orElseThrow();
    operation.authorize(caller);
    new SignedRequest(
            caller,
            new ServletMessage(request, targetUri),
            signature,
            Instant.MAX,
            NO_BODY,
            operation)
        .attachTo(request);
    chain.doFilter(request, response);
  }
}
