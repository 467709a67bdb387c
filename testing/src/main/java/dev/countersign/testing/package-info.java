/**
 * Shared by the tests of all modules: waits that end ({@link dev.countersign.testing.Waits}),
 * threads that end ({@link dev.countersign.testing.TestThreads}), the locale of a run ({@link
 * dev.countersign.testing.TestLocale}), networks that fail ({@link
 * dev.countersign.testing.TcpProxy}, {@link dev.countersign.testing.CommitProxy}), and rules for
 * the code ({@link dev.countersign.testing.HouseRulesTest}).
 */
@NullMarked
package dev.countersign.testing;

import org.jspecify.annotations.NullMarked;
