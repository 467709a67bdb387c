-- The example database of docs/existing-database.md: a payments ledger of 15 tables for SQLite, as
-- a developer would write it without Countersign in mind.
--
--   sqlite3 -bail data/countersign.db < docs/examples/ledger-sqlite.sql

PRAGMA foreign_keys = ON;

-- Master data

CREATE TABLE currencies (
    code        CHAR(3)     NOT NULL PRIMARY KEY,
    name        VARCHAR(60) NOT NULL,
    minor_units INTEGER     NOT NULL,
    is_active   BOOLEAN     NOT NULL DEFAULT TRUE
);

CREATE TABLE parties (
    id         UUID      NOT NULL PRIMARY KEY,
    legal_name TEXT      NOT NULL,
    country    CHAR(2)   NOT NULL,
    created_at TIMESTAMP NOT NULL
);

CREATE TABLE accounts (
    id            UUID        NOT NULL PRIMARY KEY,
    iban          VARCHAR(34) NOT NULL UNIQUE,
    currency_code CHAR(3)     NOT NULL REFERENCES currencies (code),
    status        TEXT        NOT NULL DEFAULT 'OPEN'
                  CHECK (status IN ('OPEN', 'BLOCKED', 'CLOSED')),
    overdraft     NUMERIC(18,2),
    opened_on     DATE        NOT NULL
);

CREATE TABLE account_holders (
    account_id UUID        NOT NULL REFERENCES accounts (id),
    party_id   UUID        NOT NULL REFERENCES parties (id),
    role       VARCHAR(20) NOT NULL,
    since      DATE        NOT NULL,
    PRIMARY KEY (account_id, party_id)
);

CREATE TABLE exchange_rates (
    base_code  CHAR(3)        NOT NULL REFERENCES currencies (code),
    quote_code CHAR(3)        NOT NULL REFERENCES currencies (code),
    valid_on   DATE           NOT NULL,
    rate       NUMERIC(20,10) NOT NULL,
    PRIMARY KEY (base_code, quote_code, valid_on)
);

CREATE TABLE mandates (
    reference   VARCHAR(35) NOT NULL PRIMARY KEY,
    creditor_id UUID        NOT NULL REFERENCES parties (id),
    debtor_iban VARCHAR(34) NOT NULL,
    signed_on   DATE        NOT NULL,
    revoked_at  TIMESTAMP
);

-- Payments

CREATE TABLE batches (
    id           INTEGER       NOT NULL PRIMARY KEY,
    reference    VARCHAR(35)   NOT NULL UNIQUE,
    control_sum  NUMERIC(18,2) NOT NULL,
    submitted_at TIMESTAMP     NOT NULL
);

CREATE TABLE payments (
    id                INTEGER       NOT NULL PRIMARY KEY,
    end_to_end_id     VARCHAR(35)   NOT NULL UNIQUE,
    batch_id          INTEGER       REFERENCES batches (id),
    debtor_account_id UUID          NOT NULL REFERENCES accounts (id),
    creditor_iban     VARCHAR(34)   NOT NULL,
    amount            NUMERIC(18,2) NOT NULL CHECK (amount > 0),
    currency_code     CHAR(3)       NOT NULL REFERENCES currencies (code),
    status            TEXT          NOT NULL DEFAULT 'PENDING'
                      CHECK (status IN ('PENDING', 'BOOKED', 'REJECTED', 'RETURNED')),
    requested_on      DATE          NOT NULL,
    metadata          JSON          NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
    created_at        TIMESTAMP     NOT NULL
);

CREATE INDEX payments_currency_code_id_idx ON payments (currency_code, id);
CREATE INDEX payments_created_at_id_idx ON payments (created_at, id);

CREATE TABLE payment_events (
    id          INTEGER     NOT NULL PRIMARY KEY,
    payment_id  INTEGER     NOT NULL REFERENCES payments (id),
    kind        VARCHAR(40) NOT NULL,
    detail      JSON,
    happened_on DATE        NOT NULL
);

CREATE TABLE entries (
    id         INTEGER       NOT NULL PRIMARY KEY,
    account_id UUID          NOT NULL REFERENCES accounts (id),
    payment_id INTEGER       REFERENCES payments (id),
    side       TEXT          NOT NULL CHECK (side IN ('DEBIT', 'CREDIT')),
    amount     NUMERIC(18,2) NOT NULL,
    booked_on  DATE          NOT NULL
);

CREATE INDEX entries_account_id_booked_on_idx ON entries (account_id, booked_on);

CREATE TABLE fees (
    id         INTEGER       NOT NULL PRIMARY KEY,
    payment_id INTEGER       NOT NULL REFERENCES payments (id),
    kind       VARCHAR(20)   NOT NULL,
    amount     NUMERIC(12,4) NOT NULL,
    is_waived  BOOLEAN       NOT NULL DEFAULT FALSE
);

CREATE TABLE statements (
    id              UUID          NOT NULL PRIMARY KEY,
    account_id      UUID          NOT NULL REFERENCES accounts (id),
    from_date       DATE          NOT NULL,
    to_date         DATE          NOT NULL,
    closing_balance NUMERIC(18,2) NOT NULL,
    printed_at      TIMESTAMP,
    UNIQUE (account_id, from_date)
);

CREATE TABLE disputes (
    id          UUID          NOT NULL PRIMARY KEY,
    payment_id  INTEGER       NOT NULL REFERENCES payments (id),
    amount      NUMERIC(18,2) NOT NULL,
    explanation TEXT,
    stage       TEXT          NOT NULL DEFAULT 'OPENED'
                CHECK (stage IN ('OPENED', 'EVIDENCE', 'WON', 'LOST')),
    opened_at   TIMESTAMP     NOT NULL
);

CREATE TABLE payouts (
    id       INTEGER       NOT NULL PRIMARY KEY,
    party_id UUID          NOT NULL REFERENCES parties (id),
    amount   NUMERIC(18,2) NOT NULL,
    margin   DOUBLE,
    sent_at  TIMESTAMP,
    trace    BLOB
);

CREATE TABLE WebhookEndpoints (
    id        UUID          NOT NULL PRIMARY KEY,
    partyId   UUID          NOT NULL REFERENCES parties (id),
    targetUrl VARCHAR(2000) NOT NULL,
    isEnabled BOOLEAN       NOT NULL DEFAULT TRUE
);

-- Reports

CREATE VIEW account_balances AS
    SELECT a.id AS account_id, a.iban, a.currency_code,
           coalesce(sum(CASE e.side WHEN 'CREDIT' THEN e.amount ELSE -e.amount END), 0) AS balance
    FROM accounts a LEFT JOIN entries e ON e.account_id = a.id
    GROUP BY a.id;

CREATE VIEW daily_volumes AS
    SELECT requested_on, currency_code, count(*) AS payment_count, sum(amount) AS volume
    FROM payments
    GROUP BY requested_on, currency_code;

-- Rows, so that pages are not empty

INSERT INTO currencies (code, name, minor_units, is_active) VALUES
    ('CHF', 'Swiss franc', 2, true),
    ('DEM', 'Deutsche Mark', 2, false),
    ('EUR', 'Euro', 2, true),
    ('JPY', 'Yen', 0, true),
    ('KWD', 'Kuwaiti dinar', 3, true),
    ('USD', 'US dollar', 2, true);

INSERT INTO parties (id, legal_name, country, created_at) VALUES
    ('5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a01', 'Äpfel & Söhne GmbH', 'DE', '2025-11-03T08:15:00.125Z'),
    ('5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a02', 'Blue Harbour Ltd', 'GB', '2025-11-04T10:00:00.000Z'),
    ('5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a03', 'Chalet Vins SA', 'CH', '2025-12-01T16:45:30.000Z'),
    ('5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a04', 'Dépôt Central SARL', 'FR', '2026-01-02T07:30:00.000Z');

INSERT INTO accounts (id, iban, currency_code, status, overdraft, opened_on) VALUES
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b01', 'DE89370400440532013000', 'EUR', 'OPEN', 5000.00, '2025-11-03'),
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b02', 'GB29NWBK60161331926819', 'USD', 'OPEN', NULL, '2025-11-04'),
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b03', 'CH9300762011623852957', 'CHF', 'BLOCKED', 0.00, '2025-12-01'),
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b04', 'FR1420041010050500013M02606', 'EUR', 'OPEN', 250.50, '2026-01-02');

INSERT INTO account_holders (account_id, party_id, role, since) VALUES
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b01', '5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a01', 'OWNER', '2025-11-03'),
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b02', '5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a02', 'OWNER', '2025-11-04'),
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b02', '5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a01', 'SIGNATORY', '2025-11-20'),
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b03', '5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a03', 'OWNER', '2025-12-01'),
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b04', '5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a04', 'OWNER', '2026-01-02');

INSERT INTO exchange_rates (base_code, quote_code, valid_on, rate) VALUES
    ('EUR', 'CHF', '2026-01-05', 0.9312000000),
    ('EUR', 'JPY', '2026-01-05', 183.4401234567),
    ('EUR', 'USD', '2026-01-05', 1.1718500000),
    ('EUR', 'USD', '2026-01-06', 1.1702100001);

INSERT INTO mandates (reference, creditor_id, debtor_iban, signed_on, revoked_at) VALUES
    ('M-2025-0001', '5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a01', 'FR1420041010050500013M02606', '2025-11-10', NULL),
    ('M-2025-0002', '5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a02', 'DE89370400440532013000', '2025-12-24', '2026-01-20T12:00:00.000Z');

INSERT INTO batches (reference, control_sum, submitted_at) VALUES
    ('B-20260105', 1630.49, '2026-01-05T09:00:00.000Z'),
    ('B-20260202', 99.00, '2026-02-02T09:00:00.000Z');

INSERT INTO payments (end_to_end_id, batch_id, debtor_account_id, creditor_iban, amount, currency_code, status, requested_on, metadata, created_at) VALUES
    ('E2E-0001', 1, 'c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b01', 'FR1420041010050500013M02606', 120.50, 'EUR', 'BOOKED', '2026-01-05', '{"invoice": "2026-001", "tags": ["rent"]}', '2026-01-05T09:00:00.250Z'),
    ('E2E-0002', 1, 'c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b01', 'CH9300762011623852957', 1500.00, 'EUR', 'BOOKED', '2026-01-05', '{"invoice": "2026-002"}', '2026-01-05T09:00:01.000Z'),
    ('E2E-0003', 1, 'c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b04', 'DE89370400440532013000', 9.99, 'EUR', 'RETURNED', '2026-01-06', '{"note": "wrong \"account\""}', '2026-01-05T09:00:02.000Z'),
    ('E2E-0004', NULL, 'c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b02', 'CH9300762011623852957', 75.00, 'USD', 'BOOKED', '2026-01-12', '{}', '2026-01-12T14:30:00.000Z'),
    ('E2E-0005', NULL, 'c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b02', 'DE89370400440532013000', 9000000000000.01, 'USD', 'REJECTED', '2026-01-20', '{"reason": {"code": "AM02", "limit": 1e6}}', '2026-01-20T08:00:00.000Z'),
    ('E2E-0006', 2, 'c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b04', 'DE89370400440532013000', 99.00, 'EUR', 'BOOKED', '2026-02-02', '{}', '2026-02-02T09:00:00.000Z'),
    ('E2E-0007', NULL, 'c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b03', 'FR1420041010050500013M02606', 42.00, 'CHF', 'PENDING', '2026-02-15', '{}', '2026-02-14T23:59:59.999Z');

INSERT INTO payment_events (payment_id, kind, detail, happened_on) VALUES
    (1, 'received', NULL, '2026-01-05'),
    (1, 'booked', '{"by": "batch"}', '2026-01-05'),
    (3, 'returned', '{"code": "AC01"}', '2026-01-08'),
    (5, 'rejected', '{"code": "AM02"}', '2026-01-20'),
    (6, 'booked', '{"by": "batch"}', '2026-02-02');

INSERT INTO entries (account_id, payment_id, side, amount, booked_on) VALUES
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b01', 1, 'DEBIT', 120.50, '2026-01-05'),
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b04', 1, 'CREDIT', 120.50, '2026-01-05'),
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b01', 2, 'DEBIT', 1500.00, '2026-01-05'),
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b02', 4, 'DEBIT', 75.00, '2026-01-12'),
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b04', 6, 'DEBIT', 99.00, '2026-02-02'),
    ('c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b01', 6, 'CREDIT', 99.00, '2026-02-02');

INSERT INTO fees (payment_id, kind, amount, is_waived) VALUES
    (2, 'FOREIGN', 4.5000, false),
    (4, 'FOREIGN', 0.0375, false),
    (6, 'BATCH', 0.1000, true);

INSERT INTO statements (id, account_id, from_date, to_date, closing_balance, printed_at) VALUES
    ('7d2c9e50-41b8-4d3a-9c0f-2b6a8e1f0d01', 'c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b01', '2026-01-01', '2026-01-31', -1620.50, '2026-02-01T02:00:00.000Z'),
    ('7d2c9e50-41b8-4d3a-9c0f-2b6a8e1f0d02', 'c3d1a7f0-77e4-4b5c-8a55-1d9b2e6f0b04', '2026-01-01', '2026-01-31', 120.50, NULL);

INSERT INTO disputes (id, payment_id, amount, explanation, stage, opened_at) VALUES
    ('e0a9d6b4-3c1f-4f67-b6c2-8d5e7f9a0c01', 2, 1500.00, 'The goods never arrived.', 'EVIDENCE', '2026-01-25T11:20:00.000Z'),
    ('e0a9d6b4-3c1f-4f67-b6c2-8d5e7f9a0c02', 4, 75.00, NULL, 'OPENED', '2026-02-01T09:05:00.000Z');

INSERT INTO payouts (party_id, amount, margin, sent_at, trace) VALUES
    ('5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a01', 1200.00, 0.0125, '2026-01-31T18:00:00.000Z', x'00ff10'),
    ('5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a03', 310.75, NULL, NULL, NULL);

INSERT INTO WebhookEndpoints (id, partyId, targetUrl, isEnabled) VALUES
    ('91f3b7a2-6d0e-4e8b-8f47-5c2d9a3e0f01', '5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a01', 'https://hooks.aepfel.example/payments', true),
    ('91f3b7a2-6d0e-4e8b-8f47-5c2d9a3e0f02', '5b0f4c1e-0a52-4c8e-9d0e-6f2a3c7b1a02', 'https://blueharbour.example/in', false);
