-- Every change that somebody made, chained by hashes: docs/audit.md says how to check it.
-- at is in milliseconds since 1970 in UTC; before and after are JSON objects.
CREATE TABLE audit_entries (
  seq           BIGINT           NOT NULL PRIMARY KEY CHECK (seq > 0),
  at            BIGINT           NOT NULL,
  author        TEXT COLLATE "C" NOT NULL,
  channel       TEXT COLLATE "C" NOT NULL CHECK (channel IN ('portal', 'command', 'service')),
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
