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
 * accepts the product's commands and options, reads the same settings and creates the same beans;
 * only one filter differs.
 *
 * <p>Never run it where others can reach it: it answers everybody.
 */
public final class UnsignedService {
  private static final String SIGNATURE_FILTER = "signatureFilter";

  private UnsignedService() {}

  /** Runs a command of the product, most likely {@code serve}. */
  public static void main(String[] args) {
    SpringApplicationHook replaceFilterHook =
        application -> {
          application.addInitializers(
              context ->
                  context.addBeanFactoryPostProcessor(UnsignedService::replaceSignatureFilter));
          return new SpringApplicationRunListener() {};
        };
    SpringApplication.withHook(replaceFilterHook, () -> Application.main(args));
  }

  /**
   * Replaces the filter that verifies signatures with one that verifies nothing. Throws an
   * exception if there is no filter of that name, because a benchmark would then measure the wrong
   * service.
   */
  private static void replaceSignatureFilter(ConfigurableListableBeanFactory beans) {
    BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beans;
    registry.removeBeanDefinition(SIGNATURE_FILTER);
    registry.registerBeanDefinition(
        SIGNATURE_FILTER,
        BeanDefinitionBuilder.genericBeanDefinition(
                FilterRegistrationBean.class, () -> standIn(beans))
            .getBeanDefinition());
  }

  private static FilterRegistrationBean<StandInFilter> standIn(BeanFactory beans) {
    FilterRegistrationBean<StandInFilter> registration =
        new FilterRegistrationBean<>(
            new StandInFilter(
                verifiedSignature(),
                beans.getBean(ListingCatalog.class).permissions(),
                beans.getBean(ListingRoutes.class)));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    registration.addUrlPatterns("/*");
    return registration;
  }

  private static VerifiedSignature verifiedSignature() {
    Partner partner = new Partner(Providers.named(Providers.JDK));
    SigningLoad requests = SigningLoad.of(Message.GET, partner, Instant.now());
    return partner.verifier().verify(requests.next().request(), Message.GET.newBody());
  }
}
