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

/** What every answer forbids a browser to do. */
final class PortalHeaders {
  private static final String CONTENT_SECURITY_POLICY =
      String.join(
          "; ",
          "default-src 'self'",
          // Tabler draws its arrows and ticks from data: images in its style sheet.
          "img-src 'self' data:",
          "object-src 'none'",
          "base-uri 'none'",
          "form-action 'self'",
          "frame-ancestors 'none'");

  private PortalHeaders() {}

  /** Stands before all other filters, so that what they refuse is no exception. */
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

  /** For this host alone: what else is served under its name is not the portal's to decide. */
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
