-- How far a request came through the checks, in the words of the problem document.
ALTER TABLE request_records ADD COLUMN passed TEXT; -- the last one, '' for none; NULL was not kept
ALTER TABLE request_records ADD COLUMN refused_by TEXT; -- NULL where no check refused it
