-- When each key last verified a request; written some seconds later, milliseconds since 1970 in UTC.
CREATE TABLE client_key_uses (
  client_id    TEXT COLLATE "C" NOT NULL,
  fingerprint  TEXT COLLATE "C" NOT NULL,
  last_used_at BIGINT           NOT NULL,
  PRIMARY KEY (client_id, fingerprint)
);
