package dev.countersign.server.audit;

import java.util.Locale;

/** The way in which a change was made. */
public enum Channel {
  /** An operator who has signed in to the portal. */
  PORTAL,
  /** A command on the machine. */
  COMMAND,
  /** The service itself. */
  SERVICE,
  /** A client, by a signed request about itself. */
  API;

  /** Returns the word for the trail, exports and pages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
