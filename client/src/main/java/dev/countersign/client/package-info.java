/** Calls a service as one client: signs requests, walks pages, retries, and explains refusals. */
package dev.countersign.client;
