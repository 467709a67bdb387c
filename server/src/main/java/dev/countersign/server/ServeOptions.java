package dev.countersign.server;

import java.nio.file.Path;

/**
 * What the command line says of a service.
 *
 * @param data the data directory
 * @param demoWallets how many wallets an empty database is filled with; 0 for none
 */
record ServeOptions(Path data, int demoWallets) {}
