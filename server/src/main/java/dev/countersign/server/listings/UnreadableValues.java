package dev.countersign.server.listings;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * The unreadable values that requests and the start of the service have found on this node. The log
 * names each of them once until the operator has corrected it.
 */
public final class UnreadableValues {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadableValues.class);
  private static final int MAXIMUM = 100;

  private final Set<Value> known = new LinkedHashSet<>();
  private boolean isFull;

  UnreadableValues() {}

  /**
   * The place of an unreadable value, without the value.
   *
   * @param listing the listing that serves the record
   * @param field the field
   * @param key the record's key as text; null if it has none
   */
  record Value(Listing listing, Field field, @Nullable String key) {
    // A place shows at most this many characters of the key.
    private static final int KEY_LENGTH = 255;

    @Override
    public String toString() {
      return listing.table().name()
          + '.'
          + field.column().name()
          + " of the record with the key "
          + shownKey()
          + " contains a value that cannot be written in JSON as a "
          + field.type().word()
          + "; correct it";
    }

    /** Returns the key, printable on one line. */
    String shownKey() {
      if (key == null) {
        return "null";
      }
      String line = key.replaceAll("[^\\x20-\\x7E]", "?");
      return '"' + line.substring(0, Math.min(line.length(), KEY_LENGTH)) + '"';
    }

    /**
     * Returns whether the value is still unreadable; true if the database cannot answer now. Empty
     * if the record is not found, or the table was altered.
     */
    private Optional<Boolean> isUnreadable(Database database) {
      try {
        return new TableProbe(listing, database).isUnreadable(field, key);
      } catch (StoreUnavailableException later) {
        return Optional.of(true);
      } catch (DataAccessException changed) {
        return Optional.empty(); // The table was altered.
      }
    }

    // When labels of an enumeration change, a new listing serves the same place. So the listing
    // itself is not compared.
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Value that && identity().equals(that.identity());
    }

    @Override
    public int hashCode() {
      return identity().hashCode();
    }

    private List<String> identity() {
      return List.of(listing.path(), field.name(), String.valueOf(key));
    }
  }

  /**
   * Reports that a row has a value that its listing cannot serve, such as NaN, which is not a JSON
   * number (RFC 8259 section 6). The message is one line for the operator. It contains the column
   * and the record's key, but no other value.
   */
  static final class UnreadableValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Value value;

    /**
     * Creates an instance.
     *
     * @param cause why the value is unreadable; null if a condition in SQL found the value
     */
    UnreadableValueException(Value value, @Nullable Exception cause) {
      super(value.toString(), cause);
      this.value = value;
    }

    /** Returns the place of the value. */
    Value value() {
      return value;
    }
  }

  /**
   * An unreadable value, for operators.
   *
   * @param field the name of the field
   * @param key the record's key in quotes, or {@code null}
   */
  public record Shown(String field, String key) {}

  /** Logs a value that prevented an answer, unless the log names it already. */
  synchronized void report(Value value) {
    if (known.contains(value)) {
      return;
    }
    if (known.size() < MAXIMUM) {
      known.add(value);
      LOG.error("cannot serve {}: {}", value.listing().path(), value);
    } else if (!isFull) {
      isFull = true;
      LOG.error(
          "cannot serve {}: {}; further values are not named until some of those in the log are"
              + " corrected",
          value.listing().path(),
          value);
    }
  }

  /** Logs a value that the start of the service has found. The value does not prevent the start. */
  synchronized void warn(TableProbe.UnreadableSample found) {
    Value value = found.place();
    if (known.size() < MAXIMUM && known.add(value)) {
      LOG.warn(
          "listing {}: {}{}; until then, requests that show it or filter by {} are answered with"
              + " internal_error",
          value.listing().path(),
          value,
          found.storedAs().isEmpty() ? "" : " (it is stored as " + found.storedAs() + ')',
          value.field().name());
    }
  }

  /** Returns the values of a listing. */
  public synchronized List<Shown> of(Listing listing) {
    return known.stream()
        .filter(value -> value.listing().path().equals(listing.path()))
        .map(value -> new Shown(value.field().name(), value.shownKey()))
        .toList();
  }

  /**
   * Looks each value up, and forgets those that have been corrected. A value that is not found is
   * forgotten too: its record was deleted, its key is unreadable, or policies hide the record from
   * the service itself. The next request that reads the value logs it again.
   */
  public void forgetCorrected(Database database) {
    List<Value> all;
    synchronized (this) {
      all = new ArrayList<>(known);
    }
    for (Value value : all) {
      Optional<Boolean> unreadable = value.isUnreadable(database);
      if (unreadable.isPresent() && unreadable.get()) {
        continue;
      }
      synchronized (this) {
        known.remove(value);
        isFull = false;
      }
      if (unreadable.isPresent()) {
        LOG.info(
            "resolved: {}.{} of the record with the key {} is corrected",
            value.listing().table().name(),
            value.field().column().name(),
            value.shownKey());
      }
    }
  }
}
