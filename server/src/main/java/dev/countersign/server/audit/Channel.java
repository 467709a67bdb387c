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
  /** A client that has sent a signed request about itself. */
  API;

  /** Returns the word for this channel in the trail, in exports and on pages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
