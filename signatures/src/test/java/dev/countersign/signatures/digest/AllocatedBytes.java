package dev.countersign.signatures.digest;

/**
 * The number of bytes that a thread has allocated, read by reflection, because the module does not
 * read java.management.
 */
final class AllocatedBytes {

  private AllocatedBytes() {}

  static long ofThisThread() {
    try {
      Object threads =
          Class.forName("java.lang.management.ManagementFactory")
              .getMethod("getThreadMXBean")
              .invoke(null);
      return (long)
          Class.forName("com.sun.management.ThreadMXBean")
              .getMethod("getCurrentThreadAllocatedBytes")
              .invoke(threads);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("this JVM does not count what a thread allocates", e);
    }
  }
}
