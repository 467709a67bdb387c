/** Makes text from outside safe to show. */
package dev.countersign.client.text;
