package dev.countersign.signatures;

import java.util.List;

/** Finds the keys of a keyid, each with its algorithm. */
@FunctionalInterface
public interface KeyLookup {

  /**
   * Returns the keys of a keyid: one key, two keys during a rotation, or no key if the keyid is
   * unknown.
   *
   * @param keyid the keyid as the signature claims it, compared byte for byte
   */
  List<VerificationKey> find(String keyid);

  /**
   * Returns the keys to try for a signature without {@code keyid}, if the profile allows such
   * signatures. The default implementation returns no keys.
   */
  default List<VerificationKey> findWithoutKeyid() {
    return List.of();
  }
}
