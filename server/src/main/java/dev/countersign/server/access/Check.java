package dev.countersign.server.access;

/** The ten checks of a request, in their order; the first that fails ends it. */
public enum Check {
  FIELDS(1, Standing.STRANGER, "It has both signature fields, well-formed, with the label sig"),
  PROFILE(
      2, Standing.STRANGER, "The signature covers what it must, with the parameters it must have"),
  CLIENT(3, Standing.STRANGER, "keyid names a registered, enabled client"),
  ADDRESS(4, Standing.STRANGER, "It comes from the client's network"),
  TIME(5, Standing.CLAIMED, "It was signed just now, and Date says the same"),
  DIGEST(
      6,
      Standing.CLAIMED,
      "It announces a digest where it has a body, and a body that can be read"),
  SIGNATURE(7, Standing.CLAIMED, "The signature verifies with a key of the client"),
  BODY(8, Standing.VERIFIED, "The body has arrived whole and equals its digest"),
  ROLES(9, Standing.VERIFIED, "The client's roles allow the operation"),
  ONCE(10, Standing.VERIFIED, "It was not carried out before, where that matters");

  private final int number;
  private final Standing standing;
  private final String title;

  Check(int number, Standing standing, String title) {
    this.number = number;
    this.standing = standing;
    this.title = title;
  }

  /** Its place in the order, 1 to 10. */
  public int number() {
    return number;
  }

  /** What holds where it has passed, in one line. */
  public String title() {
    return title;
  }

  /** What is proven of a request when it comes to this check. */
  Standing standing() {
    return standing;
  }
}
