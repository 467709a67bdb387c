/**
 * Why a signature does not verify: two signature bases, or two bodies, and the first place where
 * they differ, with its likely cause.
 *
 * <p>It works on texts alone, because the other base mostly comes as a copy out of a log or a
 * problem document, and decides nothing: a difference is for people to read.
 */
package dev.countersign.signatures.diagnosis;
