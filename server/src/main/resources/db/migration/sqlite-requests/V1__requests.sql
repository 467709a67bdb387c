-- Instants are milliseconds since 1970 in UTC.

-- Requests to the API that have ended. An id is the time at which the request ended, in
-- milliseconds, times 2^21, plus a number below 2^21 that each process chooses without asking the
-- others.
CREATE TABLE request_records (
  id              INTEGER NOT NULL PRIMARY KEY,
  standing        INTEGER NOT NULL, -- 0 verified, 1 claimed, 2 anonymous
  client_id       TEXT,
  method          TEXT    NOT NULL,
  path            TEXT    NOT NULL,
  status          INTEGER NOT NULL,
  reason          TEXT,
  passed          TEXT    NOT NULL, -- the last check that was passed, '' for none
  refused_by      TEXT, -- NULL where no check refused it
  duration_micros INTEGER NOT NULL,
  address         TEXT    NOT NULL,
  request_id      TEXT    NOT NULL
) STRICT;

CREATE INDEX request_records_by_standing ON request_records (standing, id);
CREATE INDEX request_records_by_client ON request_records (client_id, id);
CREATE INDEX request_records_by_status ON request_records (status, id);
CREATE INDEX request_records_by_path ON request_records (path, id);
CREATE INDEX request_records_by_reason ON request_records (reason, id) WHERE reason IS NOT NULL;
CREATE INDEX request_records_refused ON request_records (id) WHERE reason IS NOT NULL;

-- What is shown when one request is opened, where there is any of it.
CREATE TABLE request_details (
  id              INTEGER NOT NULL PRIMARY KEY,
  target          TEXT,
  detail          TEXT,
  expected        TEXT,
  received        TEXT,
  signature_base  TEXT,
  key_fingerprint TEXT,
  user_agent      TEXT
) STRICT;

-- All requests, also those without a row above, in spans of 60, 600 and 3600 seconds.
-- The reason is empty where a request was not refused.
CREATE TABLE request_counts (
  span     INTEGER NOT NULL,
  start    INTEGER NOT NULL,
  reason   TEXT    NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (span, start, reason)
) STRICT, WITHOUT ROWID;

-- Verified requests by their duration: bucket n begins at 1.1 to the power of n microseconds.
CREATE TABLE request_durations (
  span     INTEGER NOT NULL,
  start    INTEGER NOT NULL,
  bucket   INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (span, start, bucket)
) STRICT, WITHOUT ROWID;

-- Requests that name a registered client and come from its network, in spans of 600, 10800 and
-- 86400 seconds.
CREATE TABLE request_clients (
  span      INTEGER NOT NULL,
  start     INTEGER NOT NULL,
  client_id TEXT    NOT NULL,
  requests  INTEGER NOT NULL,
  refused   INTEGER NOT NULL,
  PRIMARY KEY (span, start, client_id)
) STRICT, WITHOUT ROWID;

-- The processes that purge rows for all, until when, by the clock of the database.
CREATE TABLE purge_leases (
  name  TEXT    NOT NULL PRIMARY KEY, -- of the purge
  node  INTEGER NOT NULL, -- drawn by each process when it starts
  until INTEGER NOT NULL
) STRICT;
