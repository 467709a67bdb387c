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

/** Pages that a filter sends before a controller is called. */
@Component
final class PlainPages {
  private final SpringTemplateEngine templates;

  PlainPages(SpringTemplateEngine templates) {
    this.templates = templates;
  }

  /** Sends {@code plain.html} with the message of this name. */
  void send(int status, String message, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    var exchange =
        JakartaServletWebApplication.buildApplication(request.getServletContext())
            .buildExchange(request, response);
    WebContext context = new WebContext(exchange, Locale.ENGLISH, Map.of("message", message));
    response.resetBuffer();
    response.setStatus(status);
    response.setContentType("text/html;charset=UTF-8");
    response.getWriter().write(templates.process("plain", context));
  }
}
