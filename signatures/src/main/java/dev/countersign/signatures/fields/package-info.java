/**
 * Structured field values for HTTP (RFC 9651): a parser and a serializer for the whole of the
 * specification.
 *
 * <p>A field value is one of three: a {@link dev.countersign.signatures.fields.FieldList}, a {@link
 * dev.countersign.signatures.fields.Dictionary} or an {@link
 * dev.countersign.signatures.fields.Item}. Parsing is strict: what the specification does not allow
 * is a {@link dev.countersign.signatures.fields.FieldParseException} that knows where. Every value
 * is immutable and checked when it is made, so whatever exists can be serialized.
 *
 * <p>Time and memory grow in step with the input and nothing recurses on it; how long an input may
 * be is for the caller to bound.
 */
package dev.countersign.signatures.fields;
