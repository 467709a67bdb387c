package dev.countersign.server.audit;

import java.util.Locale;

/** The way by which a change came. */
public enum Channel {
  /** An operator signed in to the portal. */
  PORTAL,
  /** A command on the machine itself. */
  COMMAND,
  /** The service by itself. */
  SERVICE,
  /** A client, by a signed request about itself. */
  API;

  /** Its word in the trail, in exports and on pages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
