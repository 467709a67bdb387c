package dev.countersign.server.portal.signin;

import java.util.List;
import org.springframework.security.web.header.HeaderWriter;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.header.writers.CacheControlHeadersWriter;
import org.springframework.security.web.header.writers.ContentSecurityPolicyHeaderWriter;
import org.springframework.security.web.header.writers.CrossOriginOpenerPolicyHeaderWriter;
import org.springframework.security.web.header.writers.CrossOriginOpenerPolicyHeaderWriter.CrossOriginOpenerPolicy;
import org.springframework.security.web.header.writers.HstsHeaderWriter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.header.writers.XContentTypeOptionsHeaderWriter;
import org.springframework.security.web.header.writers.XXssProtectionHeaderWriter;
import org.springframework.security.web.header.writers.frameoptions.XFrameOptionsHeaderWriter;
import org.springframework.security.web.header.writers.frameoptions.XFrameOptionsHeaderWriter.XFrameOptionsMode;

/** The security headers of every answer. */
final class PortalHeaders {
  private static final String CONTENT_SECURITY_POLICY =
      String.join(
          "; ",
          "default-src 'self'",
          // Tabler's style sheet has arrows and ticks as data: images.
          "img-src 'self' data:",
          "object-src 'none'",
          "base-uri 'none'",
          "form-action 'self'",
          "frame-ancestors 'none'");

  private PortalHeaders() {}

  /**
   * Returns the filter that writes the headers. It runs before all other filters, so that their
   * refusals also get these headers.
   */
  static HeaderWriterFilter filter() {
    return new HeaderWriterFilter(
        List.<HeaderWriter>of(
            new ContentSecurityPolicyHeaderWriter(CONTENT_SECURITY_POLICY),
            new XContentTypeOptionsHeaderWriter(),
            new XFrameOptionsHeaderWriter(XFrameOptionsMode.DENY),
            new ReferrerPolicyHeaderWriter(ReferrerPolicy.SAME_ORIGIN),
            openerPolicy(),
            new XXssProtectionHeaderWriter(),
            strictTransport(),
            new CacheControlHeadersWriter()));
  }

  /** Requires HTTPS for this host, but not for its subdomains, which may serve other services. */
  private static HeaderWriter strictTransport() {
    HstsHeaderWriter writer = new HstsHeaderWriter();
    writer.setIncludeSubDomains(false);
    return writer;
  }

  private static HeaderWriter openerPolicy() {
    CrossOriginOpenerPolicyHeaderWriter writer = new CrossOriginOpenerPolicyHeaderWriter();
    writer.setPolicy(CrossOriginOpenerPolicy.SAME_ORIGIN);
    return writer;
  }
}
