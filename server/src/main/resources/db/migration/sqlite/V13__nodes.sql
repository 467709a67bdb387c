-- The running nodes. A row belongs to one process. Instants are milliseconds since 1970.
CREATE TABLE service_nodes (
  node_id      TEXT    NOT NULL PRIMARY KEY, -- random
  name         TEXT    NOT NULL, -- host and port
  version      TEXT    NOT NULL,
  started_at   INTEGER NOT NULL, -- by the clock of the database
  heartbeat_at INTEGER NOT NULL, -- by the clock of the database
  clock_at     INTEGER NOT NULL, -- by the node's own clock, at the same time
  registry_age INTEGER NOT NULL, -- in milliseconds, at the heartbeat
  draining     INTEGER NOT NULL CHECK (draining IN (0, 1))
) STRICT;

-- A random token for each of the last revisions of the clients. After the file was replaced by an
-- older copy, another change has the same revision but another token.
CREATE TABLE registry_tokens (
  revision INTEGER NOT NULL PRIMARY KEY,
  token    INTEGER NOT NULL
) STRICT;

-- The token of the row's last change. NULL if a build without tokens inserted the row.
ALTER TABLE clients ADD COLUMN change_token INTEGER;
