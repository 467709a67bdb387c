package dev.countersign.server.portal.signin;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.springframework.stereotype.Component;
import org.thymeleaf.context.WebContext;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.web.servlet.JakartaServletWebApplication;

/**
 * The page {@code plain.html}, for answers that come from a filter and not from a controller. It
 * has no navigation and needs no session.
 */
@Component
final class PlainPages {
  private final SpringTemplateEngine templates;

  PlainPages(SpringTemplateEngine templates) {
    this.templates = templates;
  }

  /**
   * Sends the page with one of its messages.
   *
   * @param messageName the name of the message in the template, such as {@code cross-origin}
   */
  void send(
      int status, String messageName, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    var exchange =
        JakartaServletWebApplication.buildApplication(request.getServletContext())
            .buildExchange(request, response);
    WebContext context = new WebContext(exchange, Locale.ENGLISH, Map.of("message", messageName));
    response.resetBuffer();
    response.setStatus(status);
    response.setContentType("text/html;charset=UTF-8");
    response.getWriter().write(templates.process("plain", context));
  }
}
