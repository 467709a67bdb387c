-- The service's own tables, and the wallets of the built-in listing. Instants are milliseconds
-- since 1970 in UTC, unless a column says otherwise. Lists are separated by commas.

-- A removed client keeps its row, so that a clientId is never given out twice.
CREATE TABLE clients (
  client_id    TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  name         TEXT             NOT NULL,
  whitelist    TEXT             NOT NULL,
  roles        TEXT             NOT NULL,
  status       TEXT             NOT NULL CHECK (status IN ('enabled', 'disabled', 'removed')),
  created_at   BIGINT           NOT NULL,
  updated_at   BIGINT           NOT NULL,
  revision     BIGINT           NOT NULL UNIQUE,
  change_token BIGINT           NOT NULL -- the token of the row's last change
);

-- A public key belongs to one client. It is the base64 of its SubjectPublicKeyInfo.
CREATE TABLE client_keys (
  client_id   TEXT COLLATE "C" NOT NULL REFERENCES clients (client_id),
  fingerprint TEXT COLLATE "C" NOT NULL UNIQUE,
  public_key  TEXT             NOT NULL,
  bits        INTEGER          NOT NULL,
  added_at    BIGINT           NOT NULL,
  ends_at     BIGINT,
  PRIMARY KEY (client_id, fingerprint)
);

-- Every public key that a client ever had: no key is added a second time by rotation.
CREATE TABLE client_key_history (
  client_id   TEXT COLLATE "C" NOT NULL,
  fingerprint TEXT COLLATE "C" NOT NULL,
  added_at    BIGINT           NOT NULL, -- for the first time
  rotated_at  BIGINT, -- when the client added the key itself; NULL if an operator did
  PRIMARY KEY (client_id, fingerprint)
);

CREATE INDEX client_key_history_by_rotation ON client_key_history (client_id, rotated_at)
WHERE rotated_at IS NOT NULL;

CREATE INDEX client_key_history_by_time ON client_key_history (rotated_at)
WHERE rotated_at IS NOT NULL;

-- A trigger, so that a key that somebody adds by hand is remembered too. The service sets
-- rotated_at itself.
CREATE FUNCTION client_key_remember() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'INSERT INTO %I.client_key_history (client_id, fingerprint, added_at) VALUES ($1, $2, $3)'
    ' ON CONFLICT DO NOTHING',
    TG_TABLE_SCHEMA)
  USING NEW.client_id, NEW.fingerprint, NEW.added_at;
  RETURN NULL;
END
$$;

CREATE TRIGGER client_keys_remembered AFTER INSERT ON client_keys
FOR EACH ROW EXECUTE FUNCTION client_key_remember();

-- When each key last verified a request; written some seconds later.
CREATE TABLE client_key_uses (
  client_id    TEXT COLLATE "C" NOT NULL,
  fingerprint  TEXT COLLATE "C" NOT NULL,
  last_used_at BIGINT           NOT NULL,
  PRIMARY KEY (client_id, fingerprint)
);

-- What each attribute of a client admits: one row per value, or one row for everything.
CREATE TABLE client_attributes (
  client_id TEXT COLLATE "C" NOT NULL REFERENCES clients (client_id),
  name      TEXT COLLATE "C" NOT NULL,
  kind      TEXT COLLATE "C" NOT NULL CHECK (kind IN ('value', 'everything')),
  value     TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (client_id, name, value),
  -- Everything is never a value.
  CHECK ((kind = 'everything') = (value = ''))
);

-- Counts the changes to all clients; a client's revision is the count at its last change.
CREATE TABLE client_revision (
  id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  value BIGINT  NOT NULL
);

INSERT INTO client_revision (id, value) VALUES (1, 0);

-- A random token for each of the last revisions of the clients. After a failover to a lagging
-- standby, another change has the same revision but another token.
CREATE TABLE registry_tokens (
  revision BIGINT NOT NULL PRIMARY KEY,
  token    BIGINT NOT NULL
);

-- Texts that the holder of a key is asked to sign, each good for one proof; only their hashes.
CREATE TABLE key_challenges (
  challenge_hash TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  expires_at     BIGINT           NOT NULL
);

CREATE INDEX key_challenges_expires_at ON key_challenges (expires_at);

-- Requests and nonces that were taken, until their signature can no longer pass.
CREATE TABLE replay_claims (
  client_id  TEXT COLLATE "C" NOT NULL,
  digest     TEXT COLLATE "C" NOT NULL,
  kept_until BIGINT           NOT NULL, -- in seconds since 1970
  created    BIGINT           NOT NULL, -- of the signature, in seconds since 1970
  attempt    TEXT COLLATE "C" NOT NULL, -- a random id of the last attempt that stored the row
  PRIMARY KEY (client_id, digest)
);

CREATE INDEX replay_claims_kept_until ON replay_claims (kept_until);

-- Answers to requests with an Idempotency-Key; status, headers and body are filled in by the same
-- transaction that inserts the row.
CREATE TABLE idempotent_answers (
  client_id       TEXT COLLATE "C" NOT NULL,
  idempotency_key TEXT COLLATE "C" NOT NULL,
  request_digest  TEXT COLLATE "C" NOT NULL,
  status          INTEGER          NOT NULL,
  headers         TEXT             NOT NULL,
  body            TEXT             NOT NULL,
  -- The SHA-256 of the scope under which the answer was made, '' for none. If the scope of the
  -- client has changed since, the answer is not given again.
  scope_digest    TEXT COLLATE "C" NOT NULL,
  kept_until      BIGINT           NOT NULL, -- in seconds since 1970
  created         BIGINT           NOT NULL, -- of the signature, in seconds since 1970
  attempt         TEXT COLLATE "C" NOT NULL, -- a random id of the last attempt that stored the row
  PRIMARY KEY (client_id, idempotency_key)
);

CREATE INDEX idempotent_answers_kept_until ON idempotent_answers (kept_until);

-- One row: the latest kept_until of all claims, and the latest created of all claims and answers,
-- that were ever deleted. A request that is not later than both may have been executed before.
CREATE TABLE replay_floor (
  id         INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  kept_until BIGINT  NOT NULL,
  created    BIGINT  NOT NULL
);

INSERT INTO replay_floor (id, kept_until, created) VALUES (1, 0, 0);

-- Every change that somebody made, chained by hashes: docs/audit.md says how to check it.
-- before and after are JSON objects.
CREATE TABLE audit_entries (
  seq           BIGINT           NOT NULL PRIMARY KEY CHECK (seq > 0),
  at            BIGINT           NOT NULL,
  author        TEXT COLLATE "C" NOT NULL,
  channel       TEXT COLLATE "C" NOT NULL
    CHECK (channel IN ('portal', 'command', 'service', 'api')),
  address       TEXT COLLATE "C" CHECK (address <> ''),
  action        TEXT COLLATE "C" NOT NULL,
  subject       TEXT COLLATE "C" NOT NULL,
  before        TEXT COLLATE "C" NOT NULL,
  after         TEXT COLLATE "C" NOT NULL,
  previous_hash TEXT COLLATE "C" NOT NULL,
  hash          TEXT COLLATE "C" NOT NULL
);

CREATE INDEX audit_entries_by_subject ON audit_entries (subject, seq);

-- The last entry of the chain, so that a missing end shows. Each append takes its row first.
CREATE TABLE audit_head (
  id   INTEGER          NOT NULL PRIMARY KEY CHECK (id = 1),
  seq  BIGINT           NOT NULL,
  hash TEXT COLLATE "C" NOT NULL
);

INSERT INTO audit_head (id, seq, hash)
VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');

CREATE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'check_violation';
END
$$;

CREATE TRIGGER audit_entries_no_update BEFORE UPDATE ON audit_entries
FOR EACH ROW EXECUTE FUNCTION audit_append_only();

CREATE TRIGGER audit_entries_no_delete BEFORE DELETE ON audit_entries
FOR EACH ROW EXECUTE FUNCTION audit_append_only();

CREATE TRIGGER audit_entries_no_truncate BEFORE TRUNCATE ON audit_entries
FOR EACH STATEMENT EXECUTE FUNCTION audit_append_only();

CREATE TRIGGER audit_head_no_way_back BEFORE UPDATE ON audit_head
FOR EACH ROW WHEN (NEW.seq < OLD.seq) EXECUTE FUNCTION audit_append_only();

CREATE TRIGGER audit_head_no_delete BEFORE DELETE ON audit_head
FOR EACH ROW EXECUTE FUNCTION audit_append_only();

CREATE TRIGGER audit_head_no_truncate BEFORE TRUNCATE ON audit_head
FOR EACH STATEMENT EXECUTE FUNCTION audit_append_only();

-- The people who run the service.
-- A removed operator keeps its row, so that the audit trail's ids are never given out twice.
CREATE TABLE operators (
  id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  name            TEXT             NOT NULL,
  -- The name in the form in which two names are compared.
  name_key        TEXT COLLATE "C" NOT NULL,
  role            TEXT             NOT NULL CHECK (role IN ('administrator', 'viewer')),
  status          TEXT             NOT NULL CHECK (status IN ('enabled', 'disabled', 'removed')),
  source          TEXT             NOT NULL CHECK (source IN ('password', 'openid')),
  issuer          TEXT,
  subject         TEXT,
  password_hash   TEXT,
  -- Counts what ends all sessions: what was proved under an older count no longer holds.
  generation      BIGINT           NOT NULL,
  created_at      BIGINT           NOT NULL,
  last_sign_in_at BIGINT,
  CHECK ((source = 'openid') = (issuer IS NOT NULL)),
  CHECK ((source = 'openid') = (subject IS NOT NULL)),
  CHECK (source = 'password' OR password_hash IS NULL)
);

CREATE UNIQUE INDEX operators_by_name ON operators (name_key)
WHERE source = 'password' AND status <> 'removed';

CREATE UNIQUE INDEX operators_by_subject ON operators (issuer, subject) WHERE source = 'openid';

-- Counts the changes to all operators; its row lock puts them in an order.
CREATE TABLE operator_changes (
  id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  value BIGINT  NOT NULL
);

INSERT INTO operator_changes (id, value) VALUES (1, 0);

-- Tokens of any kind are kept as the SHA-256 of their text, in hexadecimal.
CREATE TABLE operator_sessions (
  token_hash     TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  id             TEXT COLLATE "C" NOT NULL UNIQUE,
  operator_id    TEXT COLLATE "C" NOT NULL REFERENCES operators (id),
  started_at     BIGINT           NOT NULL,
  last_active_at BIGINT           NOT NULL,
  address        TEXT             NOT NULL,
  user_agent     TEXT             NOT NULL
);

CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_id);

-- One-time links that set a password; without an operator it makes the first one.
CREATE TABLE operator_links (
  token_hash  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  operator_id TEXT COLLATE "C" UNIQUE REFERENCES operators (id),
  expires_at  BIGINT           NOT NULL,
  -- The node that a link of the first administrator belongs to; NULL for a link of an account.
  node        TEXT,
  CHECK ((operator_id IS NULL) = (node IS NOT NULL))
);

-- Browsers from which an operator signed in before.
CREATE TABLE operator_devices (
  token_hash  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  operator_id TEXT COLLATE "C" NOT NULL REFERENCES operators (id),
  created_at  BIGINT           NOT NULL,
  expires_at  BIGINT           NOT NULL
);

CREATE INDEX operator_devices_by_operator ON operator_devices (operator_id);

-- Sign-ins that are at the OpenID provider; each is claimed once.
CREATE TABLE openid_sign_ins (
  state_hash    TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  browser_hash  TEXT             NOT NULL,
  nonce         TEXT             NOT NULL,
  code_verifier TEXT             NOT NULL,
  redirect      TEXT             NOT NULL,
  expires_at    BIGINT           NOT NULL
);

CREATE INDEX openid_sign_ins_by_end ON openid_sign_ins (expires_at);

-- The running nodes. A row belongs to one process.
CREATE TABLE service_nodes (
  node_id      TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- random
  name         TEXT             NOT NULL, -- host and port
  version      TEXT             NOT NULL,
  started_at   BIGINT           NOT NULL, -- by the clock of the database
  heartbeat_at BIGINT           NOT NULL, -- by the clock of the database
  clock_at     BIGINT           NOT NULL, -- by the node's own clock, at the same time
  clock_error  BIGINT           NOT NULL, -- the maximum error of clock_at, in milliseconds
  registry_age BIGINT           NOT NULL, -- in milliseconds, at the heartbeat
  draining     INTEGER          NOT NULL CHECK (draining IN (0, 1))
);

-- Requests to the API that have ended. An id is the time at which the request ended, in
-- milliseconds, times 2^21, plus a number below 2^21 that each process chooses without asking the
-- others.
CREATE TABLE request_records (
  id              BIGINT           NOT NULL PRIMARY KEY,
  standing        SMALLINT         NOT NULL, -- 0 verified, 1 claimed, 2 anonymous
  client_id       TEXT COLLATE "C",
  method          TEXT COLLATE "C" NOT NULL,
  path            TEXT COLLATE "C" NOT NULL,
  status          SMALLINT         NOT NULL,
  reason          TEXT COLLATE "C",
  passed          TEXT COLLATE "C" NOT NULL, -- the last check that was passed, '' for none
  refused_by      TEXT COLLATE "C", -- NULL where no check refused it
  duration_micros BIGINT           NOT NULL,
  address         TEXT COLLATE "C" NOT NULL,
  request_id      TEXT COLLATE "C" NOT NULL
);

CREATE INDEX request_records_by_standing ON request_records (standing, id);
CREATE INDEX request_records_by_client ON request_records (client_id, id);
CREATE INDEX request_records_by_status ON request_records (status, id);
CREATE INDEX request_records_by_path ON request_records (path, id);
CREATE INDEX request_records_by_reason ON request_records (reason, id) WHERE reason IS NOT NULL;
CREATE INDEX request_records_refused ON request_records (id) WHERE reason IS NOT NULL;

-- What is shown when one request is opened, where there is any of it.
CREATE TABLE request_details (
  id              BIGINT NOT NULL PRIMARY KEY,
  target          TEXT COLLATE "C",
  detail          TEXT COLLATE "C",
  expected        TEXT COLLATE "C",
  received        TEXT COLLATE "C",
  signature_base  TEXT COLLATE "C",
  key_fingerprint TEXT COLLATE "C",
  user_agent      TEXT COLLATE "C"
);

-- All requests, also those without a row above, in spans of 60, 600 and 3600 seconds.
-- The reason is empty where a request was not refused.
CREATE TABLE request_counts (
  span     INTEGER          NOT NULL,
  start    BIGINT           NOT NULL,
  reason   TEXT COLLATE "C" NOT NULL,
  requests BIGINT           NOT NULL,
  PRIMARY KEY (span, start, reason)
);

-- Verified requests by their duration: bucket n begins at 1.1 to the power of n microseconds.
CREATE TABLE request_durations (
  span     INTEGER  NOT NULL,
  start    BIGINT   NOT NULL,
  bucket   SMALLINT NOT NULL,
  requests BIGINT   NOT NULL,
  PRIMARY KEY (span, start, bucket)
);

-- Requests that name a registered client and come from its network, in spans of 600, 10800 and
-- 86400 seconds.
CREATE TABLE request_clients (
  span      INTEGER          NOT NULL,
  start     BIGINT           NOT NULL,
  client_id TEXT COLLATE "C" NOT NULL,
  requests  BIGINT           NOT NULL,
  refused   BIGINT           NOT NULL,
  PRIMARY KEY (span, start, client_id)
);

-- The processes that purge rows for all, until when, by the clock of the database.
CREATE TABLE purge_leases (
  name  TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- of the purge
  node  BIGINT           NOT NULL, -- drawn by each process when it starts
  until BIGINT           NOT NULL
);

-- The wallets of the built-in listing.
-- COLLATE "C" orders by code points, which is how the listings sort.
CREATE TABLE wallets (
  id            uuid NOT NULL PRIMARY KEY,
  name          text COLLATE "C" NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  currency_code text COLLATE "C" NOT NULL CHECK (currency_code ~ '^[A-Z0-9]{3,12}$'),
  status        text COLLATE "C" NOT NULL CHECK (status IN ('ACTIVE', 'FROZEN', 'CLOSED')),
  created_at    timestamptz NOT NULL
);

-- One index a sort, each with the key that breaks ties.
CREATE INDEX wallets_by_name ON wallets (name, id);
CREATE INDEX wallets_by_currency_code ON wallets (currency_code, id);
CREATE INDEX wallets_by_created_at ON wallets (created_at, id);
