package dev.countersign.server.portal;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Every route of the portal, found by the annotations of its controllers, so that a new route is
 * included.
 */
final class Routes {
  private static final String PACKAGE = "dev.countersign.server.portal";

  private Routes() {}

  /**
   * A route.
   *
   * @param path below the portal, its variables in braces
   * @param parameters the names that its controller reads
   */
  record Route(String method, String path, List<String> parameters) {
    /** The path with one value for all its variables. */
    String at(String variable) {
      return path.replaceAll("\\{[^}]*}", variable);
    }

    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  static List<Route> by(String method) {
    return all().stream().filter(route -> route.method.equals(method)).toList();
  }

  /** The routes of the controllers, and the two that Spring Security handles itself. */
  static List<Route> all() {
    List<Route> routes = new ArrayList<>();
    routes.add(new Route("POST", "/sign-in", List.of("name", "password", "to")));
    routes.add(new Route("POST", "/sign-out", List.of()));
    controllers().forEach(controller -> routes.addAll(of(controller)));
    return routes;
  }

  private static Stream<Class<?>> controllers() {
    var scanner = new ClassPathScanningCandidateComponentProvider(false);
    scanner.addIncludeFilter(new AnnotationTypeFilter(Controller.class));
    return scanner.findCandidateComponents(PACKAGE).stream()
        .map(AnnotatedBeanDefinition.class::cast)
        .map(found -> type(Objects.requireNonNull(found.getBeanClassName())));
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Route> of(Class<?> controller) {
    List<String> prefixes = paths(mapping(controller));
    List<Route> routes = new ArrayList<>();
    for (Method handler : controller.getDeclaredMethods()) {
      RequestMapping mapping =
          AnnotatedElementUtils.findMergedAnnotation(handler, RequestMapping.class);
      if (mapping != null) {
        for (RequestMethod method : mapping.method()) {
          for (String prefix : prefixes) {
            for (String path : paths(mapping)) {
              routes.add(new Route(method.name(), prefix + path, parameters(handler)));
            }
          }
        }
      }
    }
    return routes;
  }

  private static RequestMapping mapping(Class<?> controller) {
    return AnnotatedElementUtils.findMergedAnnotation(controller, RequestMapping.class);
  }

  private static List<String> paths(RequestMapping mapping) {
    return mapping == null || mapping.path().length == 0 ? List.of("") : List.of(mapping.path());
  }

  /** Single parameters have an annotation; the parameters of a form are its components. */
  private static List<String> parameters(Method handler) {
    return Stream.of(handler.getParameters())
        .map(Routes::names)
        .flatMap(Collection::stream)
        .toList();
  }

  private static List<String> names(Parameter parameter) {
    RequestParam named = parameter.getAnnotation(RequestParam.class);
    if (named != null) {
      return List.of(named.name().isEmpty() ? parameter.getName() : named.name());
    }
    return parameter.getType().isRecord()
            && parameter.getType().getPackageName().startsWith(PACKAGE)
        ? Stream.of(parameter.getType().getRecordComponents()).map(part -> part.getName()).toList()
        : List.of();
  }
}
