/**
 * Explains why a signature does not verify: finds the first difference between two signature bases
 * or two bodies, and its likely cause.
 *
 * <p>It works only on texts, because the other base is usually a copy from a log or a problem
 * document. It makes no decisions: a difference is for people to read.
 */
package dev.countersign.signatures.diagnosis;
