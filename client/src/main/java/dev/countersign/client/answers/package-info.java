/** Reads whole answers, with a limit on their time and their size, and waits between attempts. */
package dev.countersign.client.answers;
