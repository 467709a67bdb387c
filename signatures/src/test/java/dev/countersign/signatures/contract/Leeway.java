package dev.countersign.signatures.contract;

/**
 * Deviations that HTTP allows to a library, and two that it does not. An adapter's test declares
 * those that apply, and the contract checks that they do.
 */
public enum Leeway {
  /** Bytes over 0x7F in a value, which new senders should not use (RFC 9110 section 5.5). */
  OBS_TEXT,
  /** A value over several lines, which a server may refuse (RFC 9112 section 5.2). */
  OBS_FOLD,
  /** A request target with scheme and authority, which is meant for proxies. */
  ABSOLUTE_FORM,
  /** The request target of {@code OPTIONS *}. */
  ASTERISK_FORM,
  /** Trailers, which a library does not have to send (RFC 9110 section 6.5.1). */
  TRAILERS,
  /**
   * A request target in absolute form is presented in origin form, which the adapter cannot change:
   * a signature that covers {@code @request-target} does not verify. The target URI is right.
   */
  ABSOLUTE_FORM_BECOMES_ORIGIN_FORM,
  /**
   * A tab inside a value is presented as a space, which the adapter cannot change: a signature that
   * covers such a value does not verify.
   */
  TABS_BECOME_SPACES
}
