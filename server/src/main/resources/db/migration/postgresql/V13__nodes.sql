-- The running nodes. A row belongs to one process. Instants are milliseconds since 1970.
CREATE TABLE service_nodes (
  node_id      TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- random
  name         TEXT             NOT NULL, -- host and port
  version      TEXT             NOT NULL,
  started_at   BIGINT           NOT NULL, -- by the clock of the database
  heartbeat_at BIGINT           NOT NULL, -- by the clock of the database
  clock_at     BIGINT           NOT NULL, -- by the node's own clock, at the same time
  registry_age BIGINT           NOT NULL, -- in milliseconds, at the heartbeat
  draining     INTEGER          NOT NULL CHECK (draining IN (0, 1))
);

-- A random token for each of the last revisions of the clients. After a failover to a lagging copy,
-- another change has the same revision but another token.
CREATE TABLE registry_tokens (
  revision BIGINT NOT NULL PRIMARY KEY,
  token    BIGINT NOT NULL
);

-- The token of the row's last change. NULL if a build without tokens inserted the row.
ALTER TABLE clients ADD COLUMN change_token BIGINT;
