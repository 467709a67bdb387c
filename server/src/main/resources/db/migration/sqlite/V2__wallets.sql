-- The wallets of the ledger area: the first entry of the listings.
CREATE TABLE wallets (
    id            TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    name          TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    currency_code TEXT NOT NULL
        CHECK (length(currency_code) BETWEEN 3 AND 12 AND currency_code NOT GLOB '*[^A-Z0-9]*'),
    status        TEXT NOT NULL CHECK (status IN ('ACTIVE', 'FROZEN', 'CLOSED')),
    -- RFC 3339 in UTC with milliseconds: fixed width, so that text order is time order.
    created_at    TEXT NOT NULL CHECK (length(created_at) = 24 AND created_at LIKE '%Z')
);

-- One index a sort, each with the key that breaks ties.
CREATE INDEX wallets_by_name ON wallets (name, id);
CREATE INDEX wallets_by_currency_code ON wallets (currency_code, id);
CREATE INDEX wallets_by_created_at ON wallets (created_at, id);
