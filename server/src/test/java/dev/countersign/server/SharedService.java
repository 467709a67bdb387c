package dev.countersign.server;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the tests of a class, or one test, against a service that other tests share. There is one
 * service per set of settings in a JVM. Constructors, lifecycle methods and tests may take these
 * parameters:
 *
 * <ul>
 *   <li>{@link TestService}: the shared service. Closing it does nothing.
 *   <li>{@link TestClient}: a new client that may do everything, with its own key.
 *   <li>{@code PortalClient}: a new administrator of the portal, signed in.
 * </ul>
 *
 * <p>When an annotated class starts, there are {@link #wallets} wallets and none of an earlier
 * class. Everything else stays, so a test must look only at its own clients, operators and
 * requests. Use {@link TestService#start} if starting, stopping or an empty database is the
 * subject.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(SharedServices.class)
public @interface SharedService {
  /** The settings, such as {@code countersign.access.date=optional}, in any order. */
  String[] value() default {};

  /** The number of wallets when the class starts. */
  int wallets() default 25;
}
