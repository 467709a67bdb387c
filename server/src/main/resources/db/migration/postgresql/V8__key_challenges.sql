-- Texts that the holder of a key is asked to sign, each good for one proof; only their hashes.
CREATE TABLE key_challenges (
  challenge_hash TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  expires_at     BIGINT           NOT NULL
);

CREATE INDEX key_challenges_expires_at ON key_challenges (expires_at);
