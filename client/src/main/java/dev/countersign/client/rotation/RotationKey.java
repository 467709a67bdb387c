package dev.countersign.client.rotation;

import dev.countersign.client.keys.KeySource;
import java.security.interfaces.RSAPublicKey;

/**
 * A key that a rotation read from a file.
 *
 * @param source signs with the key
 * @param isEncrypted whether the file is protected by the passphrase
 */
record RotationKey(KeySource source, RSAPublicKey publicKey, boolean isEncrypted) {}
