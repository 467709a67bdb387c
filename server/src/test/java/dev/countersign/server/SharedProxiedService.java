package dev.countersign.server;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs the tests of a class against a shared service behind a trusted proxy, on which a test can
 * have an address of its own by {@code X-Forwarded-For}. Its clients may rotate their keys.
 */
@SharedService({TestService.PROXIED, TestService.ROTATING, TestService.READING})
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface SharedProxiedService {}
