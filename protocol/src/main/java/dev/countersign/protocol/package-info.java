/**
 * The definitions that clients and services share: the {@linkplain
 * dev.countersign.protocol.PartnerProfile signatures} of the partner interface, the {@linkplain
 * dev.countersign.protocol.Check checks} that a request must pass, the {@linkplain
 * dev.countersign.protocol.Reason reasons} for which it is refused, and the grammar of {@linkplain
 * dev.countersign.protocol.ClientId clientIds}.
 */
@NullMarked
package dev.countersign.protocol;

import org.jspecify.annotations.NullMarked;
