/** Reads whole answers, with a limit on their time and their size. */
package dev.countersign.client.answers;
