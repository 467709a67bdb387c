/** Has the whole of an answer within a time and a size, or none of it. */
package dev.countersign.client.answers;
