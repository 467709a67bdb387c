/**
 * Key files: reading them, judging them, naming them by fingerprint.
 *
 * <p>A key arrives as text that somebody copied, mailed or pasted. The readers here take every form
 * that OpenSSL writes, refuse everything else with a sentence that says what to do, and tell a
 * private key from a public one before anything is stored. No message and no {@code toString} of
 * this package carries a part of a key.
 */
@org.jspecify.annotations.NullMarked
package dev.countersign.signatures.keys;
