package dev.countersign.server.portal.clients;

import org.springframework.web.servlet.view.RedirectView;

/** Redirects to an address as it is, even if it contains braces. */
final class PlainRedirect extends RedirectView {
  PlainRedirect(String address) {
    super(address);
    setExpandUriTemplateVariables(false);
    setExposeModelAttributes(false);
  }
}
