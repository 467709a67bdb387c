package dev.countersign.client.keys;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The key of a file, read again when the file changes. While the file is broken or missing, which
 * can happen for a moment during a replacement, the previous key stays in use.
 */
final class WatchedFile {
  // No key store and no PEM file with one key comes near this size.
  private static final int LIMIT = 1 << 20;

  private final Path file;
  private final Opener opener;
  private final Format format;
  private final Consumer<String> warnings;
  private volatile @Nullable Loaded loaded;
  private @Nullable FileStamp warnedStamp;
  private @Nullable String warnedMode;

  WatchedFile(Path file, Format format, Consumer<String> warnings) {
    this(file, Files::newInputStream, format, warnings);
  }

  WatchedFile(Path file, Opener opener, Format format, Consumer<String> warnings) {
    this.file = file;
    this.opener = opener;
    this.format = format;
    this.warnings = warnings;
  }

  /** The key of the file as it is now. The file is read only if it has changed. */
  PreparedKey key() {
    FileStamp now = FileStamp.of(file);
    Loaded known = loaded;
    return known != null && known.stamp().equals(now) ? known.key() : reload(now);
  }

  private synchronized PreparedKey reload(FileStamp now) {
    Loaded known = loaded;
    if (known != null && known.stamp().equals(now)) {
      return known.key();
    }
    try {
      byte[] bytes = bytes();
      PreparedKey key = known == null ? parsed(bytes) : parsedOrPrevious(bytes, known.key());
      loaded = new Loaded(now, key);
      warnedStamp = null;
      return key;
    } catch (IOException e) {
      return keepOrThrow(new KeyException(cannotBeRead(FileStamp.failure(e))), now, known);
    } catch (KeyException e) {
      if (e.isTemporary()) {
        return keepOrThrow(e, now, known);
      }
      throw e;
    } catch (RuntimeException e) {
      return keepOrThrow(e, now, known);
    }
  }

  // Does not record the stamp, so the next signature tries again: access rights and passphrases can
  // change without a change of time, size or inode.
  private PreparedKey keepOrThrow(RuntimeException failure, FileStamp now, @Nullable Loaded known) {
    if (known == null) {
      throw failure;
    }
    if (!now.equals(warnedStamp)) {
      warnedStamp = now;
      // Shows only the type of an exception from the caller's code: its message may quote a secret.
      warn(
          failure instanceof KeyException
              ? failure.getMessage()
              : cannotBeRead(failure.getClass().getSimpleName()));
    }
    return known.key();
  }

  private String cannotBeRead(String why) {
    return file + ": cannot be read: " + why;
  }

  private PreparedKey parsedOrPrevious(byte[] bytes, PreparedKey previous) {
    try {
      return parsed(bytes);
    } catch (KeyException e) {
      if (e.isTemporary()) {
        throw e;
      }
      warn(e.getMessage());
      return previous;
    }
  }

  private void warn(@Nullable String failure) {
    warnings.accept(failure + "; the previously read key stays in use");
  }

  private PreparedKey parsed(byte[] bytes) {
    try {
      if (bytes.length > LIMIT) {
        throw new KeyException(file + ": the file is larger than the limit of " + LIMIT + " bytes");
      }
      PreparedKey key = format.read(bytes);
      checkMode();
      return key;
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  private void checkMode() {
    String failure = FileMode.failure(file);
    if (failure != null && !failure.equals(warnedMode)) {
      warnings.accept(failure);
    }
    warnedMode = failure;
  }

  private byte[] bytes() throws IOException {
    try (InputStream in = opener.open(file)) {
      return in.readNBytes(LIMIT + 1);
    }
  }

  /** Opens a file to read it. */
  @FunctionalInterface
  interface Opener {
    InputStream open(Path file) throws IOException;
  }

  /** Reads a key from the bytes of a file, or throws a KeyException with the reason. */
  @FunctionalInterface
  interface Format {
    PreparedKey read(byte[] bytes);
  }

  private record Loaded(FileStamp stamp, PreparedKey key) {}
}
