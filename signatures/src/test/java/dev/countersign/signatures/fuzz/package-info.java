/**
 * Fuzz targets for Jazzer: a class a parser, each named after it with {@code Fuzz} behind.
 *
 * <p>A target has one method, {@code fuzzerTestOneInput(byte[])}. It lets out nothing but defects:
 * the exception that a parser declares is caught, everything else that is thrown is a finding.
 * {@code FuzzIT} gives each some hundred inputs, {@code signatures/fuzz} as many as one likes; both
 * find a new target by its name. What a fuzzer should start from, and what it once found, lies in
 * {@code src/test/fuzz} in a folder of the target's name.
 */
package dev.countersign.signatures.fuzz;
