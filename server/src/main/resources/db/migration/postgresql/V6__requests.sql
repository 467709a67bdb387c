-- Requests to the API that have ended. Instants are milliseconds since 1970 in UTC.
-- The id is given out under the lock of request_sequence, so that rows appear in its order.
CREATE TABLE request_records (
  id              BIGINT NOT NULL PRIMARY KEY,
  ended_at        BIGINT NOT NULL,
  standing        SMALLINT NOT NULL, -- 0 verified, 1 claimed, 2 stranger
  client_id       TEXT COLLATE "C",
  method          TEXT COLLATE "C" NOT NULL,
  path            TEXT COLLATE "C" NOT NULL,
  status          SMALLINT NOT NULL,
  reason          TEXT COLLATE "C",
  duration_micros BIGINT NOT NULL,
  address         TEXT COLLATE "C" NOT NULL,
  request_id      TEXT COLLATE "C" NOT NULL
);

CREATE INDEX request_records_by_time ON request_records (ended_at);
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

-- The last id of request_records that was given out.
CREATE TABLE request_sequence (
  id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  value BIGINT NOT NULL
);

INSERT INTO request_sequence (id, value) VALUES (1, 0);

-- All requests, also those without a row above, in spans of 60, 600 and 3600 seconds.
-- The reason is empty where a request was not refused.
CREATE TABLE request_counts (
  span     INTEGER NOT NULL,
  start    BIGINT NOT NULL,
  reason   TEXT COLLATE "C" NOT NULL,
  requests BIGINT NOT NULL,
  PRIMARY KEY (span, start, reason)
);

-- Verified requests by their duration: bucket n begins at 1.1 to the power of n microseconds.
CREATE TABLE request_durations (
  span     INTEGER NOT NULL,
  start    BIGINT NOT NULL,
  bucket   SMALLINT NOT NULL,
  requests BIGINT NOT NULL,
  PRIMARY KEY (span, start, bucket)
);

-- Requests that name a registered client and come from its network, in spans of 600, 10800 and 86400 s.
CREATE TABLE request_clients (
  span      INTEGER NOT NULL,
  start     BIGINT NOT NULL,
  client_id TEXT COLLATE "C" NOT NULL,
  requests  BIGINT NOT NULL,
  refused   BIGINT NOT NULL,
  PRIMARY KEY (span, start, client_id)
);
