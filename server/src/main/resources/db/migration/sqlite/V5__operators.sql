-- The people who run the service. Instants are milliseconds since 1970 in UTC.
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
  expires_at  INTEGER NOT NULL
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
