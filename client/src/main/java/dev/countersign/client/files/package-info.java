/** Writes files that stay complete, durable and private even if the process stops while writing. */
package dev.countersign.client.files;
