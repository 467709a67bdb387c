package dev.countersign.server.metrics;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * Serves only {@link #PATH} on the port of the metrics, whatever else Spring Boot or a library
 * offers there.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
class MetricsPortConfiguration {
  private static final String PATH = "/actuator/prometheus";

  @Bean
  FilterRegistrationBean<HttpFilter> onlyMetrics() {
    FilterRegistrationBean<HttpFilter> registration =
        new FilterRegistrationBean<>(new OnlyMetrics());
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    registration.addUrlPatterns("/*");
    return registration;
  }

  private static final class OnlyMetrics extends HttpFilter {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      boolean isRead = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
      // The raw path, so that no other spelling matches.
      if (isRead && request.getRequestURI().equals(PATH)) {
        chain.doFilter(request, response);
      } else {
        response.setStatus(HttpServletResponse.SC_NOT_FOUND);
      }
    }
  }
}
