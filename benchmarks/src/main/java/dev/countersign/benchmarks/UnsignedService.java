package dev.countersign.benchmarks;

import dev.countersign.server.access.StandInFilter;
import dev.countersign.server.app.Application;
import dev.countersign.server.listings.ListingCatalog;
import dev.countersign.server.listings.ListingRoutes;
import dev.countersign.signatures.VerifiedSignature;
import java.time.Instant;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationHook;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.core.Ordered;

/**
 * The product without the verification of signatures, to measure the cost of verification. It
 * accepts the product's commands and options, reads the same settings and starts the same parts;
 * only one filter differs.
 *
 * <p>Never run it where others can reach it: it answers everybody.
 */
public final class UnsignedService {
  private static final String SIGNATURE_FILTER = "signatureFilter";

  private UnsignedService() {}

  /** Runs a command of the product, most likely {@code serve}. */
  public static void main(String[] args) {
    SpringApplicationHook exchange =
        application -> {
          application.addInitializers(
              context -> context.addBeanFactoryPostProcessor(UnsignedService::exchangeFilter));
          return new SpringApplicationRunListener() {};
        };
    SpringApplication.withHook(exchange, () -> Application.main(args));
  }

  /** Fails if the product has no filter of that name, so that the wrong thing is not measured. */
  private static void exchangeFilter(ConfigurableListableBeanFactory parts) {
    BeanDefinitionRegistry registry = (BeanDefinitionRegistry) parts;
    registry.removeBeanDefinition(SIGNATURE_FILTER);
    registry.registerBeanDefinition(
        SIGNATURE_FILTER,
        BeanDefinitionBuilder.genericBeanDefinition(
                FilterRegistrationBean.class, () -> standIn(parts))
            .getBeanDefinition());
  }

  private static FilterRegistrationBean<StandInFilter> standIn(BeanFactory parts) {
    FilterRegistrationBean<StandInFilter> registration =
        new FilterRegistrationBean<>(
            new StandInFilter(
                proof(),
                parts.getBean(ListingCatalog.class).permissions(),
                parts.getBean(ListingRoutes.class)));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    registration.addUrlPatterns("/*");
    return registration;
  }

  private static VerifiedSignature proof() {
    Partner partner = new Partner(Providers.named(Providers.JDK));
    SigningLoad requests = SigningLoad.of(Message.GET, partner, Instant.now());
    return partner.verifier().verify(requests.next().request(), Message.GET.newBody());
  }
}
