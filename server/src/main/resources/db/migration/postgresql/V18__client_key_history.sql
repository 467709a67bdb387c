-- Every public key that a client ever had: no key is added a second time by rotation.
CREATE TABLE client_key_history (
  client_id   TEXT COLLATE "C" NOT NULL,
  fingerprint TEXT COLLATE "C" NOT NULL,
  added_at    BIGINT           NOT NULL, -- for the first time, in milliseconds since 1970 in UTC
  rotated_at  BIGINT, -- when the client added the key itself; NULL if an operator did
  PRIMARY KEY (client_id, fingerprint)
);

CREATE INDEX client_key_history_by_rotation ON client_key_history (client_id, rotated_at)
WHERE rotated_at IS NOT NULL;

CREATE INDEX client_key_history_by_time ON client_key_history (rotated_at)
WHERE rotated_at IS NOT NULL;

-- The keys of the past are in the audit trail. The type json, unlike jsonb, accepts any text.
INSERT INTO client_key_history (client_id, fingerprint, added_at, rotated_at)
SELECT substr(e.subject, 8), k.value ->> 'fingerprint', min(e.at),
  -- The entry of a rotation also names the old key, which has a new end.
  min(e.at) FILTER (WHERE e.channel = 'api' AND e.action = 'client.key-added'
    AND strpos(e.before, k.value ->> 'fingerprint') = 0)
FROM audit_entries e
CROSS JOIN LATERAL (
  SELECT value FROM json_array_elements(e.before::json -> 'keys')
  UNION ALL
  SELECT value FROM json_array_elements(e.after::json -> 'keys')
) k
WHERE e.subject LIKE 'client:%'
GROUP BY 1, 2;

INSERT INTO client_key_history (client_id, fingerprint, added_at)
SELECT client_id, fingerprint, added_at FROM client_keys
ON CONFLICT DO NOTHING;

-- A trigger, because nodes of older builds also add keys. The service sets rotated_at itself.
CREATE FUNCTION client_key_remember() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'INSERT INTO %I.client_key_history (client_id, fingerprint, added_at) VALUES ($1, $2, $3)'
    ' ON CONFLICT DO NOTHING',
    TG_TABLE_SCHEMA)
  USING NEW.client_id, NEW.fingerprint, NEW.added_at;
  RETURN NULL;
END
$$;

CREATE TRIGGER client_keys_remembered AFTER INSERT ON client_keys
FOR EACH ROW EXECUTE FUNCTION client_key_remember();
