package dev.countersign.server.portal;

import dev.countersign.server.access.PortalServlet;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.EnumSet;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.web.context.servlet.AnnotationConfigServletWebApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.web.filter.CharacterEncodingFilter;
import org.springframework.web.filter.DelegatingFilterProxy;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * The operator's portal: a servlet with a Spring context of its own, behind filters of its own.
 *
 * <p>Design note: the context has no parent. Neither the routes of the API nor its filter can be
 * reached from here, nor the pages from there; what the portal works on is handed over by name.
 */
public final class Portal implements AutoCloseable, ApplicationListener<ContextClosedEvent> {
  /** The bean that every request passes first. */
  public static final String DOOR = "portalDoor";

  private final AnnotationConfigServletWebApplicationContext context =
      new AnnotationConfigServletWebApplicationContext();

  /**
   * A portal that is not registered anywhere yet.
   *
   * @param service where the parts come from
   * @param parts what the portal works on
   */
  public Portal(BeanFactory service, ConfigurableEnvironment environment, List<Class<?>> parts) {
    context.setEnvironment(environment);
    context.setDisplayName("portal");
    context.register(PortalContext.class);
    parts.forEach(part -> handOver(service, part));
  }

  private <T> void handOver(BeanFactory service, Class<T> part) {
    context.registerBean(
        part,
        () -> service.getBean(part),
        // Its maker closes it.
        definition -> ((AbstractBeanDefinition) definition).setDestroyMethodName(""));
  }

  /** Registers servlet and filters on a web server that is about to start. */
  public void register(ServletContext servletContext) {
    // Here and now: what is wrong with it stops the start, and no servlet gives it a parent.
    context.setServletContext(servletContext);
    context.refresh();
    DispatcherServlet pages = new DispatcherServlet(context);
    // Its events would ask who has signed in: for each asset too, and as if somebody did something.
    pages.setPublishEvents(false);
    ServletRegistration.Dynamic servlet = servletContext.addServlet(PortalServlet.NAME, pages);
    servlet.addMapping(PortalServlet.PATH + "/*");
    servlet.setAsyncSupported(true);
    servlet.setLoadOnStartup(1);

    // Without a word a form would be read as ISO 8859-1, and browsers send none.
    add("portalEncoding", new CharacterEncodingFilter("UTF-8"), servletContext);
    add("portalSecurity", new DelegatingFilterProxy(DOOR, context), servletContext);
  }

  private static void add(String name, Filter filter, ServletContext servletContext) {
    FilterRegistration.Dynamic added = servletContext.addFilter(name, filter);
    added.setAsyncSupported(true);
    added.addMappingForServletNames(EnumSet.of(DispatcherType.REQUEST), true, PortalServlet.NAME);
  }

  /** Tells the pages that the service ends, before its web server waits for their requests. */
  @Override
  public void onApplicationEvent(ContextClosedEvent serviceEnds) {
    if (context.isActive()) {
      context.stop();
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
