package dev.countersign.server.portal;

import dev.countersign.server.http.PortalServlet;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.web.context.servlet.AnnotationConfigServletWebApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.web.filter.CharacterEncodingFilter;
import org.springframework.web.filter.DelegatingFilterProxy;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * The operator's portal: a servlet with its own Spring context and its own filters.
 *
 * <p>Design note: the context has no parent. The portal cannot reach the API's routes and filter,
 * and the API cannot reach the portal's pages. The beans that the portal uses are handed over
 * explicitly.
 */
public final class Portal implements AutoCloseable {
  /** The name of the filter bean that every request passes first. */
  public static final String FILTERS = "portalFilters";

  private static final Set<String> MADE_BY_PAGES =
      Set.of(PortalServlet.PATH + "/requests/live", PortalServlet.PATH + "/overview");

  private final AnnotationConfigServletWebApplicationContext context =
      new AnnotationConfigServletWebApplicationContext();

  /**
   * Creates a portal that is not registered yet.
   *
   * @param service the context that contains the beans
   * @param parts the types of the beans that the portal uses
   */
  public Portal(BeanFactory service, ConfigurableEnvironment environment, List<Class<?>> parts) {
    context.setEnvironment(environment);
    context.setDisplayName("portal");
    context.register(PortalContext.class);
    parts.forEach(part -> handOver(service, part));
  }

  /**
   * Returns whether an open page made a request by itself. Such a request does not count as
   * activity of the operator, and its failure is logged at most once a minute, because the page
   * repeats it.
   */
  public static boolean isMadeByPage(HttpServletRequest request) {
    return MADE_BY_PAGES.contains(request.getRequestURI());
  }

  private <T> void handOver(BeanFactory service, Class<T> part) {
    context.registerBean(
        part,
        () -> service.getBean(part),
        // Closed by the service that created it.
        definition -> ((AbstractBeanDefinition) definition).setDestroyMethodName(""));
  }

  /** Registers the servlet and the filters with a web server that is about to start. */
  public void register(ServletContext servletContext) {
    // Refreshed here and not by the servlet: a failure then keeps the service from starting, and
    // the servlet does not give the context a parent.
    context.setServletContext(servletContext);
    context.refresh();
    DispatcherServlet pages = new DispatcherServlet(context);
    // Spring's event for a request contains the session id. To find it, Spring would look up the
    // session even for an asset, which would count as activity.
    pages.setPublishEvents(false);
    ServletRegistration.Dynamic servlet = servletContext.addServlet(PortalServlet.NAME, pages);
    servlet.addMapping(PortalServlet.PATH + "/*");
    servlet.setLoadOnStartup(1);

    // Otherwise forms would be read as ISO 8859-1, because browsers do not name a charset.
    add("portalEncoding", new CharacterEncodingFilter("UTF-8"), servletContext);
    add("portalSecurity", new DelegatingFilterProxy(FILTERS, context), servletContext);
  }

  private static void add(String name, Filter filter, ServletContext servletContext) {
    FilterRegistration.Dynamic added = servletContext.addFilter(name, filter);
    added.addMappingForServletNames(EnumSet.of(DispatcherType.REQUEST), true, PortalServlet.NAME);
  }

  @Override
  public void close() {
    context.close();
  }
}
