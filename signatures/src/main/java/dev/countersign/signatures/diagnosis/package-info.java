/**
 * Explains why a signature does not verify: finds the first difference between two signature bases
 * or two bodies, and its likely cause.
 *
 * <p>The package works only on texts, because the other side's base is usually a copy from a log or
 * a problem document. It makes no decisions; its results are for people to read.
 */
package dev.countersign.signatures.diagnosis;
