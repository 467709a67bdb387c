package dev.countersign.server.clients;

import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.clients.ClientRows.Position;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client in the registry. The record is converted for the access path when the client is first
 * used.
 *
 * <p>Design note: parsing a key takes about twenty microseconds, and the parsed key takes more
 * memory than its text. A client's keys are therefore parsed when the client first calls, and a
 * service with 100,000 clients starts at once.
 */
final class RegistryEntry {
  private final long revision;
  private final long token;
  private @Nullable Client row;
  private volatile @Nullable RegisteredClient client;

  RegistryEntry(Client row, Position position) {
    this.row = row;
    this.revision = position.revision();
    this.token = position.token();
  }

  /** Returns whether the entry contains the client as of the change at this position. */
  boolean isAt(Position position) {
    return revision == position.revision() && token == position.token();
  }

  RegisteredClient client(Function<Client, RegisteredClient> reader) {
    RegisteredClient known = client;
    return known != null ? known : read(reader);
  }

  private synchronized RegisteredClient read(Function<Client, RegisteredClient> reader) {
    RegisteredClient known = client;
    if (row == null && known != null) {
      return known;
    }
    RegisteredClient read = reader.apply(Objects.requireNonNull(row));
    client = read;
    row = null;
    return read;
  }
}
