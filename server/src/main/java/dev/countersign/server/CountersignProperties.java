package dev.countersign.server;

import dev.countersign.server.access.AccessProperties;
import dev.countersign.server.access.ErrorProperties;
import dev.countersign.server.listings.ListingProperties;
import dev.countersign.server.listings.PaginationProperties;
import dev.countersign.server.portal.PortalProperties;
import dev.countersign.server.requests.RequestProperties;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code countersign}; a key that is not among them stops the start.
 *
 * @param publicUrls where the service is reached from outside; empty when any Host will do
 * @param listings what is served
 * @param roles the permissions of each role
 * @param access how requests are let in
 * @param pagination how page envelopes are sent
 * @param errors what refusals show
 * @param requests what is kept of requests
 * @param portal the operator's portal
 * @param openapi who may read {@code /openapi.yaml}: open or signed
 */
@ConfigurationProperties(prefix = "countersign", ignoreUnknownFields = false)
public record CountersignProperties(
    @DefaultValue List<URI> publicUrls,
    @DefaultValue List<ListingProperties> listings,
    @DefaultValue Map<String, List<String>> roles,
    @DefaultValue AccessProperties access,
    @DefaultValue PaginationProperties pagination,
    @DefaultValue ErrorProperties errors,
    @DefaultValue RequestProperties requests,
    @DefaultValue PortalProperties portal,
    @DefaultValue("open") String openapi) {}
