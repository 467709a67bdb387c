-- What each attribute of a client admits: one row per value, or one row for everything.
CREATE TABLE client_attributes (
  client_id TEXT COLLATE "C" NOT NULL REFERENCES clients (client_id),
  name      TEXT COLLATE "C" NOT NULL,
  kind      TEXT COLLATE "C" NOT NULL CHECK (kind IN ('value', 'everything')),
  value     TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (client_id, name, value),
  -- Everything is never a value.
  CHECK ((kind = 'everything') = (value = ''))
);
