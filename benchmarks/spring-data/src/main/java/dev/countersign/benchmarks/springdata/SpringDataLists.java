package dev.countersign.benchmarks.springdata;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.data.web.PagedModel;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * A service that answers with pages of payments, as Spring Data JPA reads them: {@code Page} by
 * number, with the total, and {@code Window} by the sort values of the record before it, without a
 * total. The service does not check signatures. The settings {@code spring.datasource.url} and so
 * on name the database.
 */
@SpringBootApplication
@EnableJpaRepositories(considerNestedRepositories = true)
@RestController
public class SpringDataLists {
  private final Map<String, Payments<? extends Payment>> lists;

  SpringDataLists(Payments.OfSmall small, Payments.OfMedium medium, Payments.OfLarge large) {
    lists = Map.of("small", small, "medium", medium, "large", large);
  }

  /** Starts the service with Spring Boot's options. */
  public static void main(String[] args) {
    SpringApplication.run(SpringDataLists.class, args);
  }

  @EventListener
  void announce(WebServerInitializedEvent event) {
    System.out.println("Spring Data serves port " + event.getWebServer().getPort());
  }

  /** A page by its number, with the total. */
  @GetMapping("/{list}/page")
  PagedModel<? extends Payment> page(
      @PathVariable String list,
      @RequestParam String customer,
      @RequestParam(required = false) @Nullable String status,
      Pageable page) {
    return page(list(list), customer, status, page);
  }

  private static <T extends Payment> PagedModel<T> page(
      Payments<T> payments, String customer, @Nullable String status, Pageable page) {
    return new PagedModel<>(
        status == null
            ? payments.findByCustomerId(customer, page)
            : payments.findByCustomerIdAndStatus(customer, status, page));
  }

  /** The payments after the one with the number and id in the query, or the first ones. */
  @GetMapping("/{list}/window")
  Rows window(@PathVariable String list, @RequestParam Map<String, String> query, Sort sort) {
    Map<String, Object> values = new LinkedHashMap<>();
    if (query.containsKey("id")) {
      sort.forEach(
          order ->
              values.put(
                  order.getProperty(),
                  order.getProperty().equals("id")
                      ? Long.valueOf(required(query, "id"))
                      : required(query, order.getProperty())));
    }
    ScrollPosition after =
        values.isEmpty() ? ScrollPosition.keyset() : ScrollPosition.forward(values);
    Limit size = Limit.of(Integer.parseInt(required(query, "size")));
    String customer = required(query, "customer");
    String status = query.get("status");
    Window<? extends Payment> window =
        status == null
            ? list(list).findByCustomerId(customer, after, size, sort)
            : list(list).findByCustomerIdAndStatus(customer, status, after, size, sort);
    return new Rows(window.getContent(), window.hasNext());
  }

  private static String required(Map<String, String> query, String name) {
    String value = query.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the query must have " + name);
    }
    return value;
  }

  private Payments<? extends Payment> list(String name) {
    Payments<? extends Payment> list = lists.get(name);
    if (list == null) {
      throw new IllegalArgumentException("the list must be one of " + lists.keySet());
    }
    return list;
  }

  /** The body of a window. */
  record Rows(List<? extends Payment> content, boolean hasNext) {}
}
