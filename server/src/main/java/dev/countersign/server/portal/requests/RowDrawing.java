package dev.countersign.server.portal.requests;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import org.thymeleaf.context.WebContext;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.web.servlet.JakartaServletWebApplication;

/** Renders rows for the live view with the template of the table. */
@Component
final class RowDrawing {
  private final SpringTemplateEngine engine;

  RowDrawing(SpringTemplateEngine engine) {
    this.engine = engine;
  }

  /** Returns a function that renders rows as HTML while the request is being answered. */
  Function<List<RequestRow>, String> during(
      HttpServletRequest request, HttpServletResponse response) {
    var exchange =
        JakartaServletWebApplication.buildApplication(request.getServletContext())
            .buildExchange(request, response);
    return rows ->
        engine.process(
            "requests/rows",
            Set.of("rows"),
            new WebContext(exchange, Locale.ENGLISH, Map.of("rows", rows)));
  }
}
