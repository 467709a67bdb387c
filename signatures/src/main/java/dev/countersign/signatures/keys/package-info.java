/**
 * Reads key files, checks keys and computes fingerprints.
 *
 * <p>A key arrives as text that somebody copied, mailed or pasted. The readers here accept every
 * form that OpenSSL writes, refuse everything else with a sentence that says what to do, and
 * distinguish private keys from public ones before anything is stored. No message and no {@code
 * toString} of this package contains a part of a key.
 *
 * <p>Design note: this package has 30 files, because a reader and the formats that it accepts share
 * classes that must not be visible outside.
 */
@org.jspecify.annotations.NullMarked
package dev.countersign.signatures.keys;
