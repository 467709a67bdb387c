/** The same lists as the product's, by Spring Data JPA. */
@org.jspecify.annotations.NullMarked
package dev.countersign.benchmarks.springdata;
