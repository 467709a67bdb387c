/** Text from elsewhere, made fit to be shown. */
package dev.countersign.client.text;
