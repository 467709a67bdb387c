-- What a later build of the same minor version may do to the schema: it only adds.
DO $$
DECLARE own text;
BEGIN
  FOR own IN
    SELECT tablename FROM pg_tables
    WHERE schemaname = current_schema() AND tablename <> 'flyway_schema_history'
  LOOP
    EXECUTE format(
      'ALTER TABLE %I ADD COLUMN later_text TEXT,'
      ' ADD COLUMN later_number BIGINT NOT NULL DEFAULT 7',
      own);
  END LOOP;
END
$$;

CREATE TABLE later_notes (
  client_id TEXT COLLATE "C" NOT NULL REFERENCES clients (client_id),
  note      TEXT             NOT NULL
);

CREATE INDEX later_by_number ON clients (later_number);
CREATE INDEX later_by_number_and_id ON request_records (later_number, id);
