package dev.countersign.signatures.contract;

/**
 * What HTTP lets a library refuse or lack, and two things that it does not. An adapter's test
 * declares which of it applies, and the contract checks that it does.
 */
public enum Leeway {
  /** Bytes over 0x7F in a value, which nobody should send anew (RFC 9110 section 5.5). */
  OBS_TEXT,
  /** A value over several lines, which a server may refuse (RFC 9112 section 5.2). */
  OBS_FOLD,
  /** A request target with scheme and authority, which only proxies are sent. */
  ABSOLUTE_FORM,
  /** The request target of {@code OPTIONS *}. */
  ASTERISK_FORM,
  /** Trailers, which a library need not send (RFC 9110 section 6.5.1). */
  TRAILERS,
  /**
   * A request target in the absolute form is shown in the origin form, which the adapter cannot
   * help: a signature that covers {@code @request-target} does not verify. The target URI is right.
   */
  ABSOLUTE_FORM_BECOMES_ORIGIN_FORM,
  /**
   * A tab inside a value is shown as a space, which the adapter cannot help: a signature that
   * covers such a value does not verify.
   */
  TABS_BECOME_SPACES
}
