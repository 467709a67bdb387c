package dev.countersign.server.portal;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.LocaleResolver;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.i18n.FixedLocaleResolver;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.spring6.view.ThymeleafViewResolver;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;

/** The Spring configuration of the portal: its pages, its assets and the template engine. */
@Configuration(proxyBeanMethods = false)
@EnableWebMvc
@ComponentScan
class PortalContext implements WebMvcConfigurer {
  private static final String WEBJARS = "classpath:/META-INF/resources/webjars/";
  private static final Duration A_YEAR = Duration.ofDays(365);

  private final AuthorArgument author;

  PortalContext(AuthorArgument author) {
    this.author = author;
  }

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(author);
  }

  /** The pages are in English, so their numbers do not follow the language of the browser. */
  @Bean
  LocaleResolver localeResolver() {
    return new FixedLocaleResolver(Locale.ENGLISH);
  }

  @Bean
  SpringTemplateEngine templateEngine() {
    ClassLoaderTemplateResolver templates =
        new ClassLoaderTemplateResolver(PortalContext.class.getClassLoader());
    templates.setPrefix("portal/pages/");
    templates.setSuffix(".html");
    templates.setTemplateMode(TemplateMode.HTML);
    templates.setCharacterEncoding("UTF-8");
    SpringTemplateEngine engine = new SpringTemplateEngine();
    engine.setTemplateResolver(templates);
    engine.setEnableSpringELCompiler(true);
    return engine;
  }

  @Bean
  ThymeleafViewResolver viewResolver(SpringTemplateEngine engine) {
    ThymeleafViewResolver resolver = new ThymeleafViewResolver();
    resolver.setTemplateEngine(engine);
    resolver.setCharacterEncoding("UTF-8");
    // Otherwise a page whose path ends in .js would be sent as a script.
    resolver.setContentType("text/html;charset=UTF-8");
    resolver.setForceContentType(true);
    // If a page fails, no part of it is sent.
    resolver.setProducePartialOutputWhileProcessing(false);
    return resolver;
  }

  /**
   * Third-party scripts and styles have a version in their path and never change. Browsers must
   * revalidate the portal's own files.
   */
  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    immutable(registry, "/assets/tabler-1.4.0/**", "tabler__core/1.4.0/dist/");
    immutable(registry, "/assets/htmx-2.0.10/**", "htmx.org/2.0.10/dist/");
    immutable(registry, "/assets/chart-4.5.1/**", "chart.js/4.5.1/dist/");
    registry
        .addResourceHandler("/assets/own/**")
        .addResourceLocations("classpath:/portal/assets/")
        .setCacheControl(CacheControl.noCache());
  }

  private static void immutable(ResourceHandlerRegistry registry, String path, String folder) {
    registry
        .addResourceHandler(path)
        .addResourceLocations(WEBJARS + folder)
        .setCacheControl(CacheControl.maxAge(A_YEAR).cachePublic().immutable());
  }
}
