/**
 * What every adapter of an HTTP library has to show, as tests to extend.
 *
 * <p>An adapter's test extends {@link dev.countersign.signatures.contract.RequestMessageContract}
 * or {@link dev.countersign.signatures.contract.ResponseMessageContract} and says how a message
 * gets over a real socket and through the library. The contract then compares what the adapter
 * shows with the bytes that went over the wire, read naively.
 *
 * <p>Other modules get it as the {@code test-jar} of this one.
 */
package dev.countersign.signatures.contract;
