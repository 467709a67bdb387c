/** Guesses at mistyped words. */
package dev.countersign.pagination.spelling;
