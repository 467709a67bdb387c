package dev.countersign.signatures;

/** What tests change in a message of either kind; every change makes a copy. */
interface AnyMessage<T> {

  /** One more header line, at the end. */
  T plus(String name, String value);

  /** Without any header line of this name. */
  T without(String name);
}
