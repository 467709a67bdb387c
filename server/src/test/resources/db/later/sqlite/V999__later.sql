-- What a later build of the same minor version may do to the schema: it only adds.
ALTER TABLE clients ADD COLUMN later_text TEXT;
ALTER TABLE clients ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE client_keys ADD COLUMN later_text TEXT;
ALTER TABLE client_keys ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE client_key_history ADD COLUMN later_text TEXT;
ALTER TABLE client_key_history ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE client_key_uses ADD COLUMN later_text TEXT;
ALTER TABLE client_key_uses ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE client_attributes ADD COLUMN later_text TEXT;
ALTER TABLE client_attributes ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE client_revision ADD COLUMN later_text TEXT;
ALTER TABLE client_revision ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE registry_tokens ADD COLUMN later_text TEXT;
ALTER TABLE registry_tokens ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE key_challenges ADD COLUMN later_text TEXT;
ALTER TABLE key_challenges ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE replay_claims ADD COLUMN later_text TEXT;
ALTER TABLE replay_claims ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE idempotent_answers ADD COLUMN later_text TEXT;
ALTER TABLE idempotent_answers ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE replay_floor ADD COLUMN later_text TEXT;
ALTER TABLE replay_floor ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE audit_entries ADD COLUMN later_text TEXT;
ALTER TABLE audit_entries ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE audit_head ADD COLUMN later_text TEXT;
ALTER TABLE audit_head ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE operators ADD COLUMN later_text TEXT;
ALTER TABLE operators ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE operator_changes ADD COLUMN later_text TEXT;
ALTER TABLE operator_changes ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE operator_sessions ADD COLUMN later_text TEXT;
ALTER TABLE operator_sessions ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE operator_links ADD COLUMN later_text TEXT;
ALTER TABLE operator_links ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE operator_devices ADD COLUMN later_text TEXT;
ALTER TABLE operator_devices ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE openid_sign_ins ADD COLUMN later_text TEXT;
ALTER TABLE openid_sign_ins ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE service_nodes ADD COLUMN later_text TEXT;
ALTER TABLE service_nodes ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE purge_leases ADD COLUMN later_text TEXT;
ALTER TABLE purge_leases ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;
ALTER TABLE wallets ADD COLUMN later_text TEXT;
ALTER TABLE wallets ADD COLUMN later_number INTEGER NOT NULL DEFAULT 7;

CREATE TABLE later_notes (
  client_id TEXT NOT NULL REFERENCES clients (client_id),
  note      TEXT NOT NULL
) STRICT;

CREATE INDEX later_by_number ON clients (later_number);
