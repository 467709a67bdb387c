-- The node that a link of the first administrator belongs to; NULL for a link of an account.
ALTER TABLE operator_links ADD COLUMN node TEXT;
