-- What each attribute of a client admits: one row per value, or one row for everything.
CREATE TABLE client_attributes (
  client_id TEXT NOT NULL REFERENCES clients (client_id),
  name      TEXT NOT NULL,
  kind      TEXT NOT NULL CHECK (kind IN ('value', 'everything')),
  value     TEXT NOT NULL,
  PRIMARY KEY (client_id, name, value),
  -- Everything is never a value.
  CHECK ((kind = 'everything') = (value = ''))
) STRICT;
