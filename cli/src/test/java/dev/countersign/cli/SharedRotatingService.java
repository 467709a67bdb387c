package dev.countersign.cli;

import dev.countersign.server.SharedService;
import dev.countersign.server.TestService;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * {@link SharedService} with the role of this module's tests: clients may rotate their own keys.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@SharedService(TestService.ROTATING)
public @interface SharedRotatingService {}
