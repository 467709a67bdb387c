/**
 * The contract of every adapter of an HTTP library, as tests to extend.
 *
 * <p>An adapter's test extends {@link dev.countersign.signatures.contract.RequestMessageContract}
 * or {@link dev.countersign.signatures.contract.ResponseMessageContract} and defines how a message
 * is sent over a real socket and through the library. The contract then compares the adapter's view
 * with the bytes from the wire, parsed naively.
 *
 * <p>Other modules use it as the {@code test-jar} of this one.
 */
package dev.countersign.signatures.contract;
