package dev.countersign.client;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Iterates over the records of pages, one after the other. */
final class Items<T> implements Iterator<T> {
  private final Pages<T> pages;
  private Iterator<T> page = Collections.emptyIterator();

  Items(Pages<T> pages) {
    this.pages = pages;
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext() && pages.hasNext()) {
      page = pages.next().content().iterator();
    }
    return page.hasNext();
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the list has ended");
    }
    return page.next();
  }
}
