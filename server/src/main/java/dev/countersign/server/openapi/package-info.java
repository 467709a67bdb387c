/**
 * The interface as a document for machines: OpenAPI 3.1, generated from the configured listings.
 */
@NullMarked
package dev.countersign.server.openapi;

import org.jspecify.annotations.NullMarked;
