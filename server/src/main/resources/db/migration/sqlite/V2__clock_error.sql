-- The maximum error with which a node has read its clock, in milliseconds.
ALTER TABLE service_nodes ADD COLUMN clock_error INTEGER NOT NULL DEFAULT 0;
