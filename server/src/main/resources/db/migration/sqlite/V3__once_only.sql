-- Requests and nonces that were taken, until their signature can no longer pass.
CREATE TABLE replay_claims (
  client_id  TEXT    NOT NULL,
  digest     TEXT    NOT NULL,
  kept_until INTEGER NOT NULL,
  PRIMARY KEY (client_id, digest)
) WITHOUT ROWID;

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
  kept_until      INTEGER NOT NULL,
  PRIMARY KEY (client_id, idempotency_key)
) WITHOUT ROWID;

CREATE INDEX idempotent_answers_kept_until ON idempotent_answers (kept_until);
