package dev.countersign.server;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the tests of a class against a service that other classes use as well: one for each set of
 * settings in a JVM. Constructors, lifecycle methods and tests may take these parameters:
 *
 * <ul>
 *   <li>{@link TestService}: the shared service. Closing it does nothing.
 *   <li>{@link TestClient}: a new client that may do everything, with a key of its own.
 * </ul>
 *
 * <p>Each class finds {@link #wallets} wallets, and nothing that an earlier class created there.
 * Everything else stays, so a test looks at its own clients, operators and requests alone. Start a
 * service with {@link TestService#start} where starting, stopping or an empty database is the
 * subject.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(SharedServices.class)
public @interface SharedService {
  /** The settings, such as {@code countersign.access.date=optional}, in any order. */
  String[] value() default {};

  /** How many wallets the class begins with. */
  int wallets() default 25;
}
