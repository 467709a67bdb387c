/**
 * Fuzz targets for Jazzer: one class per parser, named after it with the suffix {@code Fuzz}.
 *
 * <p>A target has one method, {@code fuzzerTestOneInput(byte[])}. It throws only for defects: it
 * catches the exception that a parser declares, and any other exception is a finding. {@code
 * FuzzIT} runs each target with some hundred inputs, {@code signatures/fuzz} with any number; both
 * find a new target by its name. The seeds of a target, and inputs that have revealed defects, are
 * in the folder with its name in {@code src/test/fuzz}.
 */
package dev.countersign.signatures.fuzz;
