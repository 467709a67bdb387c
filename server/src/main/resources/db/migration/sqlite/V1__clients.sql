-- Instants are milliseconds since 1970 in UTC; lists are separated by commas.
-- A removed client keeps its row, so that a clientId is never given out twice.
CREATE TABLE clients (
  client_id  TEXT    NOT NULL PRIMARY KEY,
  name       TEXT    NOT NULL,
  whitelist  TEXT    NOT NULL,
  roles      TEXT    NOT NULL,
  status     TEXT    NOT NULL CHECK (status IN ('enabled', 'disabled', 'removed')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision   INTEGER NOT NULL UNIQUE
) STRICT;

-- A public key belongs to one client. It is the base64 of its SubjectPublicKeyInfo.
CREATE TABLE client_keys (
  client_id   TEXT    NOT NULL REFERENCES clients (client_id),
  fingerprint TEXT    NOT NULL UNIQUE,
  public_key  TEXT    NOT NULL,
  bits        INTEGER NOT NULL,
  added_at    INTEGER NOT NULL,
  ends_at     INTEGER,
  PRIMARY KEY (client_id, fingerprint)
) STRICT;

-- Counts the changes to all clients; a client's revision is the count at its last change.
CREATE TABLE client_revision (
  id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  value INTEGER NOT NULL
) STRICT;

INSERT INTO client_revision (id, value) VALUES (1, 0);
