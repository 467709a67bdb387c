package dev.countersign.server;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs tests against a shared service with an operator's settings: it trusts a proxy, so that each
 * test can use its own address in {@code X-Forwarded-For}; its clients may rotate their keys;
 * sessions of the portal end after ten idle minutes or after an hour; a body may take ten minutes.
 */
@SharedService({
  TestService.PROXIED,
  TestService.ROTATING,
  TestService.READING,
  "countersign.portal.idle-limit=10m",
  "countersign.portal.session-limit=1h",
  "countersign.access.body-timeout=10m"
})
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface SharedConfiguredService {}
