/** The pages under Integrations, API Keys: clients, their records and their keys. */
@NullMarked
package dev.countersign.server.portal.clients;

import org.jspecify.annotations.NullMarked;
