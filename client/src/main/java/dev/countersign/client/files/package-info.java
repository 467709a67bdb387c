/** Files that must be whole, durable and private, whatever happens while they are written. */
package dev.countersign.client.files;
