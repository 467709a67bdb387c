-- The wallets of the ledger area: the first entry of the listings.
-- COLLATE "C" orders by code points, which is how the listings sort.
CREATE TABLE wallets (
    id            uuid NOT NULL PRIMARY KEY,
    name          text COLLATE "C" NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
    currency_code text COLLATE "C" NOT NULL CHECK (currency_code ~ '^[A-Z0-9]{3,12}$'),
    status        text COLLATE "C" NOT NULL CHECK (status IN ('ACTIVE', 'FROZEN', 'CLOSED')),
    created_at    timestamptz NOT NULL
);

-- One index a sort, each with the key that breaks ties.
CREATE INDEX wallets_by_name ON wallets (name, id);
CREATE INDEX wallets_by_currency_code ON wallets (currency_code, id);
CREATE INDEX wallets_by_created_at ON wallets (created_at, id);
