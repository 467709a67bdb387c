-- The time of signing of the request that made a claim, and a random id of the try that stored it.
-- Both are NULL in rows of an earlier build.
ALTER TABLE replay_claims ADD COLUMN created INTEGER;
ALTER TABLE replay_claims ADD COLUMN attempt TEXT;
ALTER TABLE idempotent_answers ADD COLUMN created INTEGER;
ALTER TABLE idempotent_answers ADD COLUMN attempt TEXT;

-- One row: the latest kept_until of all claims, and the latest created of all claims and answers,
-- that were ever deleted. A request that is not later than both may have been executed before.
CREATE TABLE replay_floor (
  id         INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  kept_until INTEGER NOT NULL,
  created    INTEGER NOT NULL
);

INSERT INTO replay_floor (id, kept_until, created) VALUES (1, 0, 0);
