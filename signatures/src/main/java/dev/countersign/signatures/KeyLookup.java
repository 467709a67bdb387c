package dev.countersign.signatures;

import java.util.List;

/** Finds the keys that a keyid stands for, each with its algorithm. */
@FunctionalInterface
public interface KeyLookup {

  /**
   * The keys of a keyid: one, two while it is being rotated, none when it is unknown.
   *
   * @param keyid as the signature claims it, compared byte for byte
   */
  List<VerificationKey> find(String keyid);

  /**
   * The keys for a signature that names none, where the profile allows that; none unless this is
   * overridden.
   */
  default List<VerificationKey> findWithoutKeyid() {
    return List.of();
  }
}
