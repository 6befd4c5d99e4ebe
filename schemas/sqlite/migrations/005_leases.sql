-- Several indexers may work on the outbox: who has the rows of which scope in hand, and until when
-- at the latest. The scope 0 stands for all. A row that cannot be applied is parked with the reason.

CREATE TABLE leases (
    sid   INTEGER PRIMARY KEY,
    owner TEXT    NOT NULL,
    until INTEGER NOT NULL -- by the machine's clock
) STRICT;

ALTER TABLE outbox ADD COLUMN parked TEXT;
CREATE INDEX outbox_parked ON outbox (seq) WHERE parked IS NOT NULL;
