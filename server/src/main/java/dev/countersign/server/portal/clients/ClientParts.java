package dev.countersign.server.portal.clients;

import dev.countersign.server.clients.ClientSearch;
import dev.countersign.server.clients.KeyChallenges;
import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans for the pages of clients. */
@Configuration(proxyBeanMethods = false)
class ClientParts {

  @Bean
  ClientSearch clientSearch(Database database, Clock clock) {
    return new ClientSearch(database, clock);
  }

  @Bean
  KeyChallenges keyChallenges(
      Database database, CryptoProvider crypto, Clock clock, SecureRandom random) {
    return new KeyChallenges(database, crypto, clock, random);
  }
}
