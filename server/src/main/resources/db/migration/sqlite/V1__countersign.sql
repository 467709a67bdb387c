-- The service's own tables, and the wallets of the built-in listing. Instants are milliseconds
-- since 1970 in UTC, unless a column says otherwise. Lists are separated by commas.

-- A removed client keeps its row, so that a clientId is never given out twice.
CREATE TABLE clients (
  client_id    TEXT    NOT NULL PRIMARY KEY,
  name         TEXT    NOT NULL,
  whitelist    TEXT    NOT NULL,
  roles        TEXT    NOT NULL,
  status       TEXT    NOT NULL CHECK (status IN ('enabled', 'disabled', 'removed')),
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  revision     INTEGER NOT NULL UNIQUE,
  change_token INTEGER NOT NULL -- the token of the row's last change
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

-- Every public key that a client ever had: no key is added a second time by rotation.
CREATE TABLE client_key_history (
  client_id   TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  added_at    INTEGER NOT NULL, -- for the first time
  rotated_at  INTEGER, -- when the client added the key itself; NULL if an operator did
  PRIMARY KEY (client_id, fingerprint)
) STRICT, WITHOUT ROWID;

CREATE INDEX client_key_history_by_rotation ON client_key_history (client_id, rotated_at)
WHERE rotated_at IS NOT NULL;

CREATE INDEX client_key_history_by_time ON client_key_history (rotated_at)
WHERE rotated_at IS NOT NULL;

-- A trigger, so that a key that somebody adds by hand is remembered too. The service sets
-- rotated_at itself.
CREATE TRIGGER client_keys_remembered AFTER INSERT ON client_keys
BEGIN
  INSERT INTO client_key_history (client_id, fingerprint, added_at)
  VALUES (NEW.client_id, NEW.fingerprint, NEW.added_at)
  ON CONFLICT DO NOTHING;
END;

-- When each key last verified a request; written some seconds later.
CREATE TABLE client_key_uses (
  client_id    TEXT    NOT NULL,
  fingerprint  TEXT    NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (client_id, fingerprint)
) STRICT, WITHOUT ROWID;

-- What each attribute of a client admits: one row per value, or one row for everything.
CREATE TABLE client_attributes (
  client_id TEXT NOT NULL REFERENCES clients (client_id),
  name      TEXT NOT NULL,
  kind      TEXT NOT NULL CHECK (kind IN ('value', 'everything')),
  value     TEXT NOT NULL,
  PRIMARY KEY (client_id, name, value),
  -- Everything is never a value.
  CHECK ((kind = 'everything') = (value = ''))
) STRICT;

-- Counts the changes to all clients; a client's revision is the count at its last change.
CREATE TABLE client_revision (
  id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  value INTEGER NOT NULL
) STRICT;

INSERT INTO client_revision (id, value) VALUES (1, 0);

-- A random token for each of the last revisions of the clients. After the file was replaced by an
-- older copy, another change has the same revision but another token.
CREATE TABLE registry_tokens (
  revision INTEGER NOT NULL PRIMARY KEY,
  token    INTEGER NOT NULL
) STRICT;

-- Texts that the holder of a key is asked to sign, each good for one proof; only their hashes.
CREATE TABLE key_challenges (
  challenge_hash TEXT    NOT NULL PRIMARY KEY,
  expires_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX key_challenges_expires_at ON key_challenges (expires_at);

-- Requests and nonces that were taken, until their signature can no longer pass.
CREATE TABLE replay_claims (
  client_id  TEXT    NOT NULL,
  digest     TEXT    NOT NULL,
  kept_until INTEGER NOT NULL, -- in seconds since 1970
  created    INTEGER NOT NULL, -- of the signature, in seconds since 1970
  attempt    TEXT    NOT NULL, -- a random id of the last attempt that stored the row
  PRIMARY KEY (client_id, digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX replay_claims_kept_until ON replay_claims (kept_until);

-- Answers to requests with an Idempotency-Key; status, headers and body are filled in by the same
-- transaction that inserts the row.
CREATE TABLE idempotent_answers (
  client_id       TEXT    NOT NULL,
  idempotency_key TEXT    NOT NULL,
  request_digest  TEXT    NOT NULL,
  status          INTEGER NOT NULL,
  headers         TEXT    NOT NULL,
  body            TEXT    NOT NULL,
  -- The SHA-256 of the scope under which the answer was made, '' for none. If the scope of the
  -- client has changed since, the answer is not given again.
  scope_digest    TEXT    NOT NULL,
  kept_until      INTEGER NOT NULL, -- in seconds since 1970
  created         INTEGER NOT NULL, -- of the signature, in seconds since 1970
  attempt         TEXT    NOT NULL, -- a random id of the last attempt that stored the row
  PRIMARY KEY (client_id, idempotency_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotent_answers_kept_until ON idempotent_answers (kept_until);

-- One row: the latest kept_until of all claims, and the latest created of all claims and answers,
-- that were ever deleted. A request that is not later than both may have been executed before.
CREATE TABLE replay_floor (
  id         INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  kept_until INTEGER NOT NULL,
  created    INTEGER NOT NULL
) STRICT;

INSERT INTO replay_floor (id, kept_until, created) VALUES (1, 0, 0);

-- Every change that somebody made, chained by hashes: docs/audit.md says how to check it.
-- before and after are JSON objects.
CREATE TABLE audit_entries (
  seq           INTEGER NOT NULL PRIMARY KEY CHECK (seq > 0),
  at            INTEGER NOT NULL,
  author        TEXT    NOT NULL,
  channel       TEXT    NOT NULL CHECK (channel IN ('portal', 'command', 'service', 'api')),
  address       TEXT    CHECK (address <> ''),
  action        TEXT    NOT NULL,
  subject       TEXT    NOT NULL,
  before        TEXT    NOT NULL,
  after         TEXT    NOT NULL,
  previous_hash TEXT    NOT NULL,
  hash          TEXT    NOT NULL
) STRICT;

CREATE INDEX audit_entries_by_subject ON audit_entries (subject, seq);

-- The last entry of the chain, so that a missing end shows. Each append takes its row first.
CREATE TABLE audit_head (
  id   INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  seq  INTEGER NOT NULL,
  hash TEXT    NOT NULL
) STRICT;

INSERT INTO audit_head (id, seq, hash)
VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');

-- INSERT OR REPLACE deletes without asking the trigger on DELETE.
CREATE TRIGGER audit_entries_no_replace BEFORE INSERT ON audit_entries
WHEN EXISTS (SELECT 1 FROM audit_entries WHERE seq = NEW.seq)
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_entries_no_update BEFORE UPDATE ON audit_entries
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_entries_no_delete BEFORE DELETE ON audit_entries
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_head_no_replace BEFORE INSERT ON audit_head
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_head_no_way_back BEFORE UPDATE ON audit_head
WHEN NEW.seq < OLD.seq
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_head_no_delete BEFORE DELETE ON audit_head
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

-- The people who run the service.
-- A removed operator keeps its row, so that the audit trail's ids are never given out twice.
CREATE TABLE operators (
  id              TEXT    NOT NULL PRIMARY KEY,
  name            TEXT    NOT NULL,
  -- The name in the form in which two names are compared.
  name_key        TEXT    NOT NULL,
  role            TEXT    NOT NULL CHECK (role IN ('administrator', 'viewer')),
  status          TEXT    NOT NULL CHECK (status IN ('enabled', 'disabled', 'removed')),
  source          TEXT    NOT NULL CHECK (source IN ('password', 'openid')),
  issuer          TEXT,
  subject         TEXT,
  password_hash   TEXT,
  -- Counts what ends all sessions: what was proved under an older count no longer holds.
  generation      INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  last_sign_in_at INTEGER,
  CHECK ((source = 'openid') = (issuer IS NOT NULL)),
  CHECK ((source = 'openid') = (subject IS NOT NULL)),
  CHECK (source = 'password' OR password_hash IS NULL)
) STRICT;

CREATE UNIQUE INDEX operators_by_name ON operators (name_key)
WHERE source = 'password' AND status <> 'removed';

CREATE UNIQUE INDEX operators_by_subject ON operators (issuer, subject) WHERE source = 'openid';

-- Counts the changes to all operators; its row lock puts them in an order.
CREATE TABLE operator_changes (
  id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  value INTEGER NOT NULL
) STRICT;

INSERT INTO operator_changes (id, value) VALUES (1, 0);

-- Tokens of any kind are kept as the SHA-256 of their text, in hexadecimal.
CREATE TABLE operator_sessions (
  token_hash     TEXT    NOT NULL PRIMARY KEY,
  id             TEXT    NOT NULL UNIQUE,
  operator_id    TEXT    NOT NULL REFERENCES operators (id),
  started_at     INTEGER NOT NULL,
  last_active_at INTEGER NOT NULL,
  address        TEXT    NOT NULL,
  user_agent     TEXT    NOT NULL
) STRICT;

CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_id);

-- One-time links that set a password; without an operator it makes the first one.
CREATE TABLE operator_links (
  token_hash  TEXT    NOT NULL PRIMARY KEY,
  operator_id TEXT    UNIQUE REFERENCES operators (id),
  expires_at  INTEGER NOT NULL,
  -- The node that a link of the first administrator belongs to; NULL for a link of an account.
  node        TEXT,
  CHECK ((operator_id IS NULL) = (node IS NOT NULL))
) STRICT;

-- Browsers from which an operator signed in before.
CREATE TABLE operator_devices (
  token_hash  TEXT    NOT NULL PRIMARY KEY,
  operator_id TEXT    NOT NULL REFERENCES operators (id),
  created_at  INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX operator_devices_by_operator ON operator_devices (operator_id);

-- Sign-ins that are at the OpenID provider; each is claimed once.
CREATE TABLE openid_sign_ins (
  state_hash    TEXT    NOT NULL PRIMARY KEY,
  browser_hash  TEXT    NOT NULL,
  nonce         TEXT    NOT NULL,
  code_verifier TEXT    NOT NULL,
  redirect      TEXT    NOT NULL,
  expires_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX openid_sign_ins_by_end ON openid_sign_ins (expires_at);

-- The running nodes. A row belongs to one process.
CREATE TABLE service_nodes (
  node_id      TEXT    NOT NULL PRIMARY KEY, -- random
  name         TEXT    NOT NULL, -- host and port
  version      TEXT    NOT NULL,
  started_at   INTEGER NOT NULL, -- by the clock of the database
  heartbeat_at INTEGER NOT NULL, -- by the clock of the database
  clock_at     INTEGER NOT NULL, -- by the node's own clock, at the same time
  clock_error  INTEGER NOT NULL, -- the maximum error of clock_at, in milliseconds
  registry_age INTEGER NOT NULL, -- in milliseconds, at the heartbeat
  draining     INTEGER NOT NULL CHECK (draining IN (0, 1))
) STRICT;

-- The processes that purge rows for all, until when, by the clock of the database.
CREATE TABLE purge_leases (
  name  TEXT    NOT NULL PRIMARY KEY, -- of the purge
  node  INTEGER NOT NULL, -- drawn by each process when it starts
  until INTEGER NOT NULL
) STRICT;

-- The wallets of the built-in listing.
CREATE TABLE wallets (
  id            TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
  name          TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  currency_code TEXT NOT NULL
    CHECK (length(currency_code) BETWEEN 3 AND 12 AND currency_code NOT GLOB '*[^A-Z0-9]*'),
  status        TEXT NOT NULL CHECK (status IN ('ACTIVE', 'FROZEN', 'CLOSED')),
  -- RFC 3339 in UTC with milliseconds: fixed width, so that text order is time order.
  created_at    TEXT NOT NULL CHECK (length(created_at) = 24 AND created_at LIKE '%Z')
);

-- One index a sort, each with the key that breaks ties.
CREATE INDEX wallets_by_name ON wallets (name, id);
CREATE INDEX wallets_by_currency_code ON wallets (currency_code, id);
CREATE INDEX wallets_by_created_at ON wallets (created_at, id);
