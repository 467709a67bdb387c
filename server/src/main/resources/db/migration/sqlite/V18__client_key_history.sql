-- Every public key that a client ever had: no key is added a second time by rotation.
CREATE TABLE client_key_history (
  client_id   TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  added_at    INTEGER NOT NULL, -- for the first time, in milliseconds since 1970 in UTC
  rotated_at  INTEGER, -- when the client added the key itself; NULL if an operator did
  PRIMARY KEY (client_id, fingerprint)
) STRICT, WITHOUT ROWID;

CREATE INDEX client_key_history_by_rotation ON client_key_history (client_id, rotated_at)
WHERE rotated_at IS NOT NULL;

CREATE INDEX client_key_history_by_time ON client_key_history (rotated_at)
WHERE rotated_at IS NOT NULL;

-- The keys of the past are in the audit trail.
INSERT INTO client_key_history (client_id, fingerprint, added_at, rotated_at)
SELECT client_id, fingerprint, min(at),
  -- The entry of a rotation also names the old key, which has a new end.
  min(CASE WHEN channel = 'api' AND action = 'client.key-added' AND instr(before, fingerprint) = 0
    THEN at END)
FROM (
  SELECT substr(e.subject, 8) AS client_id, json_extract(k.value, '$.fingerprint') AS fingerprint,
    e.at, e.channel, e.action, e.before
  FROM audit_entries e JOIN json_each(e.before, '$.keys') k
  WHERE e.subject LIKE 'client:%'
  UNION ALL
  SELECT substr(e.subject, 8), json_extract(k.value, '$.fingerprint'), e.at, e.channel, e.action,
    e.before
  FROM audit_entries e JOIN json_each(e.after, '$.keys') k
  WHERE e.subject LIKE 'client:%'
) named
GROUP BY client_id, fingerprint;

INSERT INTO client_key_history (client_id, fingerprint, added_at)
SELECT client_id, fingerprint, added_at FROM client_keys WHERE true
ON CONFLICT DO NOTHING;

-- A trigger, because processes of older builds also add keys. The service sets rotated_at itself.
CREATE TRIGGER client_keys_remembered AFTER INSERT ON client_keys
BEGIN
  INSERT INTO client_key_history (client_id, fingerprint, added_at)
  VALUES (NEW.client_id, NEW.fingerprint, NEW.added_at)
  ON CONFLICT DO NOTHING;
END;
