/** Guesses which known word a mistyped word was meant to be. */
package dev.countersign.pagination.spelling;
