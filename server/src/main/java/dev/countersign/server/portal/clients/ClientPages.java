package dev.countersign.server.portal.clients;

import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientSearch;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.listings.ListingCatalog;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.portal.ApiAddress;
import dev.countersign.server.portal.Moments;
import dev.countersign.server.portal.NotFoundException;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.view.RedirectView;
import org.springframework.web.util.UriUtils;

/**
 * Renders the pages about one client.
 *
 * <p>Design note: the clientId is a query parameter, not part of the path. An id that an operator
 * chose may contain a slash, a semicolon or a percent sign, which servers and proxies refuse in
 * paths even when escaped.
 */
@Component
final class ClientPages {
  private static final String PAGE = "/portal/integrations/api-keys/client";

  private final ClientStore clients;
  private final ClientSearch search;
  private final ClientReach reach;
  private final ListingCatalog listings;
  private final ApiAddress api;
  private final Clock clock;

  ClientPages(
      ClientStore clients,
      ClientSearch search,
      ClientReach reach,
      ListingCatalog listings,
      ApiAddress api,
      Clock clock) {
    this.clients = clients;
    this.search = search;
    this.reach = reach;
    this.listings = listings;
    this.api = api;
    this.clock = clock;
  }

  /** Finds the client that a page is about, or throws {@link NotFoundException}. */
  Client find(String id) {
    return clients
        .find(id)
        .orElseThrow(() -> new NotFoundException("No client has the clientId " + id + "."));
  }

  /** Returns the page of a client as stored, without problems. */
  ModelAndView page(Client client, HttpServletRequest request) {
    return page(HttpStatus.OK, client, stored(client), PublicKeyForm.empty(), Map.of(), request);
  }

  /** Returns the form of a client as stored. */
  RecordForm stored(Client client) {
    return RecordForm.of(client, reach.attributes());
  }

  /** Returns the page of a client with the fields as typed and their problems. */
  ModelAndView page(
      HttpStatus status,
      Client client,
      RecordForm form,
      PublicKeyForm key,
      Map<String, String> problems,
      HttpServletRequest request) {
    FirstCalls calls = FirstCalls.of(client, listings, reach, api.baseUrl(request)).orElse(null);
    return about("api-keys/client", status, client)
        .addObject("form", form)
        .addObject("key", key)
        .addObject("problems", problems)
        .addObject("roles", RoleChoice.of(reach.roles(), form.roles()))
        .addObject("held", RoleChoice.held(reach.roles(), client.roles()))
        .addObject("ends", KeyEndChoice.values())
        .addObject("calls", calls);
  }

  /** Returns another page about a client. */
  ModelAndView about(String template, HttpStatus status, Client client) {
    Map<String, Instant> uses = search.lastUses(client.clientId());
    Moments moments = new Moments(clock.instant());
    Instant last = uses.values().stream().max(Instant::compareTo).orElse(null);
    return new ModelAndView(template, status)
        .addObject("shown", new ShownClient(client, last, moments, reach))
        .addObject("client", client)
        .addObject("uses", uses)
        .addObject("moments", moments);
  }

  Instant now() {
    return clock.instant();
  }

  /** Redirects the browser to the client's page, which says what was done. */
  static ModelAndView goTo(Client client, String done) {
    String id = UriUtils.encode(client.clientId(), StandardCharsets.UTF_8);
    // Not a URI template: an id may contain braces.
    return new ModelAndView(new PlainRedirect(PAGE + "?id=" + id + "&done=" + done));
  }

  /**
   * Prevents viewers from opening a form. The security chain also refuses the request that the form
   * would send.
   */
  static void requireAdministrator(Operator operator) {
    if (!operator.isAdministrator()) {
      throw new ResponseStatusException(HttpStatus.FORBIDDEN);
    }
  }

  /** Redirects to an address as it is, even if it contains braces. */
  private static final class PlainRedirect extends RedirectView {
    PlainRedirect(String address) {
      super(address);
      setExpandUriTemplateVariables(false);
      setExposeModelAttributes(false);
    }
  }
}
