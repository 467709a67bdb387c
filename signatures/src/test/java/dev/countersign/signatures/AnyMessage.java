package dev.countersign.signatures;

/** Changes that tests make to a message of either kind; every change makes a copy. */
interface AnyMessage<T> {

  /** Adds a header line at the end. */
  T plus(String name, String value);

  /** Removes all header lines with this name. */
  T without(String name);
}
