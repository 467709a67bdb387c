-- The SHA-256 of the scope under which an answer was made, '' for none. If the scope of the client
-- has changed since, the answer is not given again.
ALTER TABLE idempotent_answers ADD COLUMN scope_digest TEXT NOT NULL DEFAULT '';
