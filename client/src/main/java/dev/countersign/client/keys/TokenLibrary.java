package dev.countersign.client.keys;

import java.nio.file.Path;
import java.security.Provider;
import java.security.ProviderException;
import java.security.Security;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A slot of a PKCS#11 library, and the JDK's provider for it.
 *
 * @param slot the id of the slot; null for the first slot
 */
record TokenLibrary(Path library, @Nullable Long slot) {
  private static final AtomicLong OPENED = new AtomicLong();

  /** Creates the provider, with a unique name; it is not installed. */
  Provider provider() {
    Provider template = Security.getProvider("SunPKCS11");
    if (template == null) {
      throw new KeyException("this JDK has no SunPKCS11; add the module jdk.crypto.cryptoki");
    }
    try {
      return template.configure("--" + configuration());
    } catch (ProviderException | UnsupportedOperationException | IllegalArgumentException e) {
      throw new KeyException(this + ": cannot be opened: " + deepest(e));
    }
  }

  private String configuration() {
    String path = library.toAbsolutePath().toString();
    // In the configuration, a value extends to the end of its line, and the JDK expands ${…} in it.
    if (path.indexOf('\n') >= 0 || path.contains("${")) {
      throw new KeyException("the library's path must not contain a line feed or ${, was " + path);
    }
    return "name = countersign-"
        + OPENED.incrementAndGet()
        + "\nlibrary = "
        + path
        + '\n'
        + (slot == null ? "slotListIndex = 0" : "slot = " + slot)
        + '\n';
  }

  /** The error of the library, such as CKR_SLOT_ID_INVALID, which is the last of the causes. */
  static String deepest(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }

  @Override
  public String toString() {
    return library + (slot == null ? " first slot" : " slot " + slot);
  }
}
