/**
 * The algorithms of RFC 9421 section 3.3, each a {@link
 * dev.countersign.signatures.algorithms.SignatureScheme}. This package is not exported.
 */
package dev.countersign.signatures.algorithms;
