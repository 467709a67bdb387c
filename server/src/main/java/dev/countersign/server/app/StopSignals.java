package dev.countersign.server.app;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signals that stop a service.
 *
 * <p>Design note: while a JVM shuts down, it ignores the signals that it handles itself, so the
 * service must handle them. Only {@code sun.misc.Signal} of the module {@code jdk.unsupported} (JEP
 * 260) can do that. It is used by reflection, because the compiler warns about it and the warning
 * cannot be suppressed.
 */
final class StopSignals {
  private static final Logger LOG = LoggerFactory.getLogger(StopSignals.class);

  private StopSignals() {}

  /**
   * Handles the signals from now on.
   *
   * @param handler receives the number of each signal, each time on another thread
   */
  static void handle(IntConsumer handler) {
    try {
      Class<?> type = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Method number = type.getMethod("getNumber");
      Object proxied =
          Proxy.newProxyInstance(
              StopSignals.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, arguments) -> {
                if (method.getDeclaringClass().equals(Object.class)) {
                  return method.invoke(handler, arguments);
                }
                handler.accept((int) number.invoke(arguments[0]));
                return null;
              });
      for (String name : new String[] {"TERM", "INT", "HUP"}) {
        Object signal = type.getConstructor(String.class).newInstance(name);
        type.getMethod("handle", type, handlerType).invoke(null, signal, proxied);
      }
    } catch (ReflectiveOperationException e) {
      // With -Xrs, the JVM leaves signals to the system, whose default ends the process.
      LOG.debug("signals cannot be handled", e);
    }
  }
}
