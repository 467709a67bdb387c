-- Every change that somebody made, chained by hashes: docs/audit.md says how to check it.
-- at is in milliseconds since 1970 in UTC; before and after are JSON objects.
CREATE TABLE audit_entries (
  seq           INTEGER NOT NULL PRIMARY KEY CHECK (seq > 0),
  at            INTEGER NOT NULL,
  author        TEXT    NOT NULL,
  channel       TEXT    NOT NULL CHECK (channel IN ('portal', 'command', 'service')),
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
