-- The graph store. Instants are integer microseconds UTC; 4611686018427387904 (2^62) is for ever.
-- A record interval is [created_at, expired_at). Every row hangs on the integer id of its scope, so
-- that erasing a scope is one update, and its rows can go in batches.

CREATE TABLE scopes (
    sid    INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again
    tenant TEXT    NOT NULL,
    user   TEXT    NOT NULL,
    at     INTEGER NOT NULL, -- last record time
    number INTEGER NOT NULL, -- last change number
    points INTEGER NOT NULL DEFAULT 0, -- documents with terms, kept by triggers
    dead   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX scopes_alive ON scopes (tenant, user) WHERE dead = 0;
CREATE INDEX scopes_dead ON scopes (sid) WHERE dead = 1;

CREATE TABLE changes (
    sid       INTEGER NOT NULL REFERENCES scopes (sid),
    number    INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    change_id TEXT,
    PRIMARY KEY (sid, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX changes_by_id ON changes (sid, change_id) WHERE change_id IS NOT NULL;

CREATE TABLE episodes (
    row         INTEGER PRIMARY KEY,
    sid         INTEGER NOT NULL REFERENCES scopes (sid),
    id          TEXT    NOT NULL,
    key         TEXT,
    session     TEXT,
    agent       TEXT,
    place       INTEGER NOT NULL,
    role        TEXT    NOT NULL,
    speaker     TEXT,
    content     TEXT    NOT NULL,
    occurred_at INTEGER NOT NULL,
    zone        TEXT    NOT NULL,
    time_given  INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    channel     TEXT    NOT NULL,
    digest      TEXT    NOT NULL,
    reading     TEXT    NOT NULL,
    reason      TEXT,
    UNIQUE (sid, id)
) STRICT;
CREATE UNIQUE INDEX episodes_by_key ON episodes (sid, key) WHERE key IS NOT NULL;
CREATE INDEX episodes_by_time ON episodes (sid, occurred_at, place, id);
CREATE INDEX episodes_by_reading ON episodes (sid, reading, occurred_at, place, id);
CREATE INDEX episodes_by_session ON episodes (sid, session, occurred_at, place, id);

CREATE TABLE entities (
    row         INTEGER PRIMARY KEY,
    sid         INTEGER NOT NULL REFERENCES scopes (sid),
    id          TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    types       TEXT    NOT NULL, -- JSON
    aliases     TEXT    NOT NULL, -- JSON
    is_self     INTEGER NOT NULL,
    merged_into TEXT,
    created_at  INTEGER NOT NULL,
    UNIQUE (sid, id),
    UNIQUE (sid, key)
) STRICT;
CREATE UNIQUE INDEX entities_self ON entities (sid) WHERE is_self = 1;
CREATE INDEX entities_by_time ON entities (sid, created_at, id);

-- Every key an entity is found by.
CREATE TABLE entity_names (
    sid    INTEGER NOT NULL,
    key    TEXT    NOT NULL,
    entity INTEGER NOT NULL REFERENCES entities (row) ON DELETE CASCADE,
    PRIMARY KEY (sid, key, entity)
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_names_by_entity ON entity_names (entity);

CREATE TABLE claims (
    row        INTEGER PRIMARY KEY,
    sid        INTEGER NOT NULL,
    id         TEXT    NOT NULL,
    episode    TEXT    NOT NULL,
    session    TEXT,
    subject    TEXT    NOT NULL, -- JSON, as said
    predicate  TEXT    NOT NULL,
    object     TEXT, -- JSON, as said
    polarity   TEXT    NOT NULL,
    modality   TEXT    NOT NULL,
    form       TEXT    NOT NULL,
    start      TEXT, -- JSON
    "end"      TEXT, -- JSON
    qualifiers TEXT    NOT NULL, -- JSON
    beside     INTEGER NOT NULL,
    correction TEXT, -- JSON
    quote      TEXT    NOT NULL,
    said_at    INTEGER NOT NULL,
    said_turn  INTEGER NOT NULL,
    said_place INTEGER NOT NULL,
    source     TEXT    NOT NULL,
    authority  INTEGER NOT NULL,
    confidence REAL    NOT NULL,
    importance INTEGER NOT NULL,
    statement  TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (sid, id),
    FOREIGN KEY (sid, episode) REFERENCES episodes (sid, id)
) STRICT;
CREATE INDEX claims_by_episode ON claims (sid, episode);

-- What a claim's words mean, over record time. ``corrects`` repeats whether the claim takes
-- something back, so that a family is read from one index.
CREATE TABLE claim_links (
    row         INTEGER PRIMARY KEY,
    sid         INTEGER NOT NULL,
    claim       TEXT    NOT NULL,
    subject     TEXT    NOT NULL,
    predicate   TEXT    NOT NULL,
    object_kind TEXT,
    object_key  TEXT,
    object_text TEXT,
    polarity    TEXT    NOT NULL,
    corrects    INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    expired_at  INTEGER NOT NULL CHECK (expired_at > created_at),
    UNIQUE (sid, claim, created_at),
    FOREIGN KEY (sid, claim) REFERENCES claims (sid, id)
) STRICT;
CREATE INDEX claim_links_family ON claim_links (sid, subject, predicate, object_key, expired_at);
CREATE INDEX claim_links_corrects ON claim_links (sid, subject, predicate) WHERE corrects = 1;
CREATE INDEX claim_links_object ON claim_links (sid, object_key, predicate, expired_at);
CREATE UNIQUE INDEX claim_links_live ON claim_links (sid, claim)
    WHERE expired_at = 4611686018427387904;

CREATE TABLE withdrawals (
    row        INTEGER PRIMARY KEY,
    sid        INTEGER NOT NULL,
    claim      TEXT    NOT NULL,
    reason     TEXT,
    created_at INTEGER NOT NULL,
    expired_at INTEGER NOT NULL CHECK (expired_at > created_at),
    UNIQUE (sid, claim, created_at),
    FOREIGN KEY (sid, claim) REFERENCES claims (sid, id)
) STRICT;

-- One row for each state of a fact. The last three columns are derived (see Fact.reads_from).
CREATE TABLE fact_records (
    row          INTEGER PRIMARY KEY,
    sid          INTEGER NOT NULL REFERENCES scopes (sid),
    record       TEXT    NOT NULL,
    id           TEXT    NOT NULL,
    subject_kind TEXT    NOT NULL,
    subject_key  TEXT    NOT NULL,
    subject_text TEXT    NOT NULL,
    predicate    TEXT    NOT NULL,
    object_kind  TEXT,
    object_key   TEXT,
    object_text  TEXT,
    polarity     TEXT    NOT NULL,
    modality     TEXT    NOT NULL,
    qualifiers   TEXT    NOT NULL, -- JSON
    statement    TEXT    NOT NULL,
    start        TEXT, -- JSON
    "end"        TEXT, -- JSON
    status       TEXT    NOT NULL,
    event        INTEGER NOT NULL,
    confidence   REAL    NOT NULL,
    importance   INTEGER NOT NULL,
    said_at      INTEGER NOT NULL,
    said_turn    INTEGER NOT NULL,
    said_place   INTEGER NOT NULL,
    cause_rule   TEXT,
    cause_claim  TEXT,
    cause_reason TEXT,
    created_at   INTEGER NOT NULL,
    expired_at   INTEGER NOT NULL CHECK (expired_at > created_at),
    reads_from   INTEGER NOT NULL,
    reads_until  INTEGER NOT NULL,
    may_from     INTEGER NOT NULL,
    UNIQUE (sid, record)
) STRICT;
CREATE UNIQUE INDEX fact_records_live ON fact_records (sid, id)
    WHERE expired_at = 4611686018427387904;
-- Covers the count that every listing gives.
CREATE INDEX fact_records_status ON fact_records (sid, status, expired_at)
    WHERE expired_at = 4611686018427387904;
CREATE INDEX fact_records_by_fact ON fact_records (sid, id, created_at);
CREATE INDEX fact_records_family
    ON fact_records (sid, subject_key, predicate, object_key, expired_at);
CREATE INDEX fact_records_object ON fact_records (sid, object_key, predicate, expired_at);
CREATE INDEX fact_records_said
    ON fact_records (sid, said_at DESC, said_turn DESC, said_place DESC, record);

-- What a fact rests on, over record time.
CREATE TABLE fact_claims (
    row        INTEGER PRIMARY KEY,
    sid        INTEGER NOT NULL,
    fact       TEXT    NOT NULL,
    claim      TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    expired_at INTEGER NOT NULL CHECK (expired_at > created_at),
    UNIQUE (sid, fact, claim, created_at),
    FOREIGN KEY (sid, claim) REFERENCES claims (sid, id)
) STRICT;
CREATE INDEX fact_claims_by_claim ON fact_claims (sid, claim);

-- Fact ids that ended, and the id that took their place.
CREATE TABLE successors (
    sid        INTEGER NOT NULL REFERENCES scopes (sid),
    fact       TEXT    NOT NULL,
    successor  TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (sid, fact)
) STRICT, WITHOUT ROWID;
CREATE INDEX successors_by_successor ON successors (sid, successor);

CREATE TABLE suggestions (
    row        INTEGER PRIMARY KEY,
    sid        INTEGER NOT NULL REFERENCES scopes (sid),
    id         TEXT    NOT NULL,
    first      TEXT    NOT NULL,
    second     TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    state      TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (sid, id)
) STRICT;

-- Keywords. A document is what a point of the index is: a fact record, a chunk of an episode, an
-- entity; ``target`` is the row of the thing, ``terms`` how many terms it has.
CREATE TABLE documents (
    doc    INTEGER PRIMARY KEY,
    sid    INTEGER NOT NULL REFERENCES scopes (sid),
    kind   TEXT    NOT NULL,
    target INTEGER NOT NULL,
    ref    TEXT    NOT NULL,
    terms  INTEGER NOT NULL
) STRICT;
CREATE INDEX documents_by_target ON documents (sid, kind, target, ref);

CREATE TABLE postings (
    sid    INTEGER NOT NULL,
    term   TEXT    NOT NULL,
    doc    INTEGER NOT NULL REFERENCES documents (doc) ON DELETE CASCADE,
    weight REAL    NOT NULL,
    PRIMARY KEY (sid, term, doc)
) STRICT, WITHOUT ROWID;
CREATE INDEX postings_by_doc ON postings (doc);

CREATE TRIGGER documents_added AFTER INSERT ON documents WHEN new.terms > 0
BEGIN
    UPDATE scopes SET points = points + 1 WHERE sid = new.sid;
END;
CREATE TRIGGER documents_removed AFTER DELETE ON documents WHEN old.terms > 0
BEGIN
    UPDATE scopes SET points = points - 1 WHERE sid = old.sid;
END;

-- Points of the index that must be written or removed. Rows that only write are kept once for each
-- thing; rows that remove points are kept until they are settled.
CREATE TABLE outbox (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again
    sid     INTEGER NOT NULL REFERENCES scopes (sid),
    kind    TEXT    NOT NULL,
    id      TEXT    NOT NULL,
    change  INTEGER NOT NULL,
    removed TEXT    NOT NULL -- JSON list of point ids
) STRICT;
CREATE INDEX outbox_by_scope ON outbox (sid);
CREATE UNIQUE INDEX outbox_once ON outbox (sid, kind, id) WHERE removed = '[]';

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
