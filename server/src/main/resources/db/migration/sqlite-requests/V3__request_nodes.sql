-- Records of nodes that do not wait for each other. Nodes of older builds leave both columns NULL
-- and still take their ids from request_sequence; the ids of the others are above 2 to the power of 60.
ALTER TABLE request_records ADD COLUMN node INTEGER; -- drawn by each process when it starts
ALTER TABLE request_records ADD COLUMN number INTEGER; -- counts the records of the process

CREATE INDEX request_records_by_node ON request_records (node, number) WHERE node IS NOT NULL;

-- The last record of each process that wrote some within the last hour.
CREATE TABLE request_nodes (
  node         INTEGER NOT NULL PRIMARY KEY,
  first_number INTEGER NOT NULL, -- the last number before the row was inserted
  last_number  INTEGER NOT NULL,
  written_at   INTEGER NOT NULL -- by the clock of the database, milliseconds since 1970 in UTC
) STRICT;

-- The process that deletes old records, until when, by the clock of the database.
CREATE TABLE request_cleaning (
  id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  node  INTEGER,
  until INTEGER NOT NULL
) STRICT;

INSERT INTO request_cleaning (id, until) VALUES (1, 0);
