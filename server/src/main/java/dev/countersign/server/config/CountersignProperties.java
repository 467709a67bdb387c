package dev.countersign.server.config;

import dev.countersign.server.access.AccessProperties;
import dev.countersign.server.access.directory.AttributeProperties;
import dev.countersign.server.http.ErrorProperties;
import dev.countersign.server.integrations.IntegrationProperties;
import dev.countersign.server.listings.ListingProperties;
import dev.countersign.server.listings.PaginationProperties;
import dev.countersign.server.portal.PortalProperties;
import dev.countersign.server.requests.RequestProperties;
import dev.countersign.server.store.StoreSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code countersign}. The service does not start if a key is unknown.
 *
 * @param publicUrls the public URLs of the service; empty to accept any Host
 * @param listings the listings to serve
 * @param roles the permissions of each role
 * @param attributes the attributes that clients may have
 * @param access which requests are admitted
 * @param pagination the form of page envelopes
 * @param errors what refusals reveal
 * @param requests which requests are recorded
 * @param integrations how clients rotate their own keys
 * @param portal the operator's portal
 * @param schema the PostgreSQL schema of the service's own tables
 * @param connections how many connections to PostgreSQL there are
 * @param drainDelay how long a service that stops still accepts requests, while its readiness is
 *     down, 0 s to 10 min; null for 5 s if other nodes run, else 0 s
 * @param openapi {@code open}, or {@code signed} if a request for {@code /openapi.yaml} needs a
 *     signature
 */
@ConfigurationProperties(prefix = "countersign", ignoreUnknownFields = false)
public record CountersignProperties(
    @DefaultValue List<URI> publicUrls,
    @DefaultValue List<ListingProperties> listings,
    @DefaultValue Map<String, List<String>> roles,
    @DefaultValue Map<String, AttributeProperties> attributes,
    @DefaultValue AccessProperties access,
    @DefaultValue PaginationProperties pagination,
    @DefaultValue ErrorProperties errors,
    @DefaultValue RequestProperties requests,
    @DefaultValue IntegrationProperties integrations,
    @DefaultValue PortalProperties portal,
    @DefaultValue(StoreSettings.SCHEMA) String schema,
    @DefaultValue StoreSettings.Connections connections,
    @Nullable Duration drainDelay,
    @DefaultValue("open") String openapi) {
  private static final Duration MAX_DRAIN_DELAY = Duration.ofMinutes(10);

  public CountersignProperties {
    if (drainDelay != null
        && (drainDelay.isNegative() || drainDelay.compareTo(MAX_DRAIN_DELAY) > 0)) {
      throw new IllegalArgumentException(
          "drain-delay must be 0s to 10m, was " + drainDelay.toSeconds() + "s");
    }
  }
}
