package dev.countersign.server;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the tests of a class, or one test, against a service that others use as well: one for each
 * set of settings in a JVM. Constructors, lifecycle methods and tests may take these parameters:
 *
 * <ul>
 *   <li>{@link TestService}: the shared service. Closing it does nothing.
 *   <li>{@link TestClient}: a new client that may do everything, with a key of its own.
 *   <li>{@code PortalClient}: a new administrator of the portal, signed in.
 * </ul>
 *
 * <p>An annotated class finds {@link #wallets} wallets, and none that an earlier class created.
 * Everything else stays, so a test looks at its own clients, operators and requests alone. Start a
 * service with {@link TestService#start} where starting, stopping or an empty database is the
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

  /** How many wallets the class begins with. */
  int wallets() default 25;
}
