-- Clients rotate their own keys, so that a change may come by way of the API.
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_channel_check;

ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_channel_check
  CHECK (channel IN ('portal', 'command', 'service', 'api'));
