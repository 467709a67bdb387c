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
 * everything except verification, so that the difference to the product is verification alone: it
 * finds the operation, tells it the target, and the log the client.
 *
 * <p>Design note: it is in the product's package, as the product's tests are, because nothing
 * outside may make a {@link SignedRequest}. The product has no such class and no switch for one.
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
   * @param signature of any request; only this library's verifier makes one
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
