/** Guesses the intended word behind a mistyped one. */
package dev.countersign.pagination.spelling;
