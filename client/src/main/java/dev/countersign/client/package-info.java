/**
 * Calls a service as one client: {@link dev.countersign.client.CountersignClient} signs requests,
 * walks pages, retries, and explains refusals.
 */
package dev.countersign.client;
