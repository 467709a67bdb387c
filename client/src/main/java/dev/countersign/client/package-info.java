/** Calls a service as one client: signs, walks pages, endures, and says why when it is refused. */
package dev.countersign.client;
