package dev.countersign.signatures;

import java.util.List;

/** Finds the keys of a keyid, each with its algorithm. */
@FunctionalInterface
public interface KeyLookup {

  /**
   * Returns the keys of a keyid: one, two during a rotation, none if it is unknown.
   *
   * @param keyid the keyid as the signature claims it, compared byte for byte
   */
  List<VerificationKey> find(String keyid);

  /**
   * Returns the keys for a signature that names none, if the profile allows that. By default there
   * are none.
   */
  default List<VerificationKey> findWithoutKeyid() {
    return List.of();
  }
}
