/** Measures Countersign, each part beside its yardstick. */
@org.jspecify.annotations.NullMarked
package dev.countersign.benchmarks;
