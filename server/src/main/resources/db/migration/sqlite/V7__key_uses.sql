-- When each key last verified a request; written some seconds later, milliseconds since 1970 in UTC.
CREATE TABLE client_key_uses (
  client_id    TEXT    NOT NULL,
  fingerprint  TEXT    NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (client_id, fingerprint)
) STRICT, WITHOUT ROWID;
