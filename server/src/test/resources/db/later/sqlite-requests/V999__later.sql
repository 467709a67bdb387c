-- What a later build of the same minor version may do to the schema: it only adds.
ALTER TABLE request_records ADD COLUMN later_text TEXT;
ALTER TABLE request_records ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE request_details ADD COLUMN later_text TEXT;
ALTER TABLE request_details ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE request_counts ADD COLUMN later_text TEXT;
ALTER TABLE request_counts ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE request_durations ADD COLUMN later_text TEXT;
ALTER TABLE request_durations ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE request_clients ADD COLUMN later_text TEXT;
ALTER TABLE request_clients ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE purge_leases ADD COLUMN later_text TEXT;
ALTER TABLE purge_leases ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;

CREATE TABLE later_notes (
  client_id TEXT NOT NULL,
  note      TEXT NOT NULL
) STRICT;

CREATE INDEX later_by_number ON request_records (later_number);
