package dev.countersign.server.portal.clients;

import org.springframework.web.servlet.view.RedirectView;

/** Sends a browser to an address as it is, whatever braces are in it. */
final class PlainRedirect extends RedirectView {
  PlainRedirect(String address) {
    super(address);
    setExpandUriTemplateVariables(false);
    setExposeModelAttributes(false);
  }
}
