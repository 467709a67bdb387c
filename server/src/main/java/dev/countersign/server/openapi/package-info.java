/** The interface as an OpenAPI 3.1 document, generated from the configured listings. */
@NullMarked
package dev.countersign.server.openapi;

import org.jspecify.annotations.NullMarked;
