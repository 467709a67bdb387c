/**
 * Structured field values for HTTP (RFC 9651): a parser and a serializer for the whole
 * specification.
 *
 * <p>A field value has one of three types: it is a {@link
 * dev.countersign.signatures.fields.FieldList}, a {@link
 * dev.countersign.signatures.fields.Dictionary} or an {@link
 * dev.countersign.signatures.fields.Item}. Parsing is strict: a text that the specification does
 * not allow is refused with a {@link dev.countersign.signatures.fields.FieldParseException}, which
 * has the position of the error. Every value is immutable and checked when it is created, so every
 * value can be serialized.
 *
 * <p>Time and memory are proportional to the length of the input, and the parser does not recurse.
 * The caller must limit the length of the input.
 */
package dev.countersign.signatures.fields;
