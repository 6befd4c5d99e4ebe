-- Statements that read. Lists of values come as one JSON parameter; an instant ``:at`` of the record
-- axis is the last one before for ever where the present is meant. Where a statement is a
-- beginning, the clauses of graphmem/adapters/sqlite/filters.py follow it. ``plain`` is a function
-- of ours (see there). CROSS JOIN fixes the order of the loops: without statistics SQLite takes all
-- scopes for small ones. Scores are rounded so that the order of adding cannot show in their order.

-- name: facts.select
SELECT f.*, s.successor
FROM fact_records f LEFT JOIN successors s ON s.sid = f.sid AND s.fact = f.id
WHERE f.sid = :sid;

-- name: facts.count
SELECT count(*) FROM fact_records f WHERE f.sid = :sid;

-- Narrowed to subjects or objects: what touches them is looked up first.
-- name: facts_about.select
SELECT f.*, s.successor
FROM (
    SELECT row FROM fact_records
    WHERE sid = :sid AND subject_key IN (SELECT plain(value) FROM json_each(:by_subject))
    UNION
    SELECT row FROM fact_records
    WHERE sid = :sid AND object_key IN (SELECT plain(value) FROM json_each(:by_object))
) t
CROSS JOIN fact_records f ON f.row = t.row
LEFT JOIN successors s ON s.sid = f.sid AND s.fact = f.id
WHERE f.sid = :sid;

-- name: facts_about.count
SELECT count(*)
FROM (
    SELECT row FROM fact_records
    WHERE sid = :sid AND subject_key IN (SELECT plain(value) FROM json_each(:by_subject))
    UNION
    SELECT row FROM fact_records
    WHERE sid = :sid AND object_key IN (SELECT plain(value) FROM json_each(:by_object))
) t
CROSS JOIN fact_records f ON f.row = t.row
WHERE f.sid = :sid;

-- name: facts.by_records
SELECT f.*, s.successor
FROM json_each(:ids) j CROSS JOIN fact_records f ON f.sid = :sid AND f.record = j.value
LEFT JOIN successors s ON s.sid = f.sid AND s.fact = f.id
ORDER BY j.key;

-- name: facts.history
SELECT f.*, s.successor
FROM fact_records f LEFT JOIN successors s ON s.sid = f.sid AND s.fact = f.id
WHERE f.sid = :sid AND f.id = :fact
ORDER BY f.created_at, f.record;

-- The claims of fact records: as of ``known_at``, else of the end of each record's interval.
-- name: facts.rests
SELECT f.row, r.claim
FROM json_each(:rows) j
CROSS JOIN fact_records f ON f.row = j.value
CROSS JOIN fact_claims r ON r.sid = f.sid AND r.fact = f.id
    AND r.created_at <= min(ifnull(:known_at, f.expired_at - 1), f.expired_at - 1)
    AND r.expired_at > min(ifnull(:known_at, f.expired_at - 1), f.expired_at - 1)
CROSS JOIN claims c ON c.sid = r.sid AND c.id = r.claim
ORDER BY c.said_at, c.said_turn, c.said_place, c.id;

-- name: facts.evidence
SELECT r.fact, r.claim
FROM json_each(:facts) j
CROSS JOIN fact_claims r ON r.sid = :sid AND r.fact = j.value
    AND r.created_at <= :at AND r.expired_at > :at;

-- name: facts.live_records
SELECT f.record
FROM json_each(:ids) j CROSS JOIN fact_records f ON f.sid = :sid AND f.id = j.value
    AND f.expired_at = 4611686018427387904;

-- name: family.facts
SELECT record FROM fact_records
WHERE sid = :sid AND subject_key = :subject AND predicate = :predicate
    AND expired_at >= :alive;

-- name: family.facts_object
SELECT record FROM fact_records
WHERE sid = :sid AND subject_key = :subject AND predicate = :predicate AND object_key = :object
    AND expired_at >= :alive
UNION ALL
SELECT record FROM fact_records
WHERE sid = :sid AND subject_key = :subject AND predicate = :predicate AND object_key IS NULL
    AND expired_at >= :alive;

-- name: family.facts_either
SELECT record FROM fact_records
WHERE sid = :sid AND object_key = :subject AND predicate = :predicate AND expired_at >= :alive;

-- name: family.facts_pair
SELECT record FROM fact_records
WHERE sid = :sid AND subject_key = :subject AND predicate = :predicate AND object_key = :object
    AND expired_at >= :alive
UNION ALL
SELECT record FROM fact_records
WHERE sid = :sid AND subject_key = :object AND predicate = :predicate AND object_key = :subject
    AND expired_at >= :alive
UNION ALL
SELECT record FROM fact_records
WHERE sid = :sid AND subject_key IN (:subject, :object) AND predicate = :predicate
    AND object_key IS NULL AND expired_at >= :alive;

-- name: family.claims
SELECT claim FROM claim_links
WHERE sid = :sid AND subject = :subject AND predicate = :predicate AND expired_at >= :alive;

-- name: family.claims_object
SELECT claim FROM claim_links
WHERE sid = :sid AND subject = :subject AND predicate = :predicate AND object_key = :object
    AND expired_at >= :alive
UNION
SELECT claim FROM claim_links
WHERE sid = :sid AND subject = :subject AND predicate = :predicate AND object_key IS NULL
    AND expired_at >= :alive
UNION
SELECT claim FROM claim_links
WHERE sid = :sid AND subject = :subject AND predicate = :predicate AND corrects = 1
    AND expired_at >= :alive;

-- name: family.claims_either
SELECT claim FROM claim_links
WHERE sid = :sid AND object_key = :subject AND predicate = :predicate AND expired_at >= :alive;

-- The end of a family: the claims of one manner are one run of an index, with the one that reaches
-- furthest at its end.
-- name: tail.size
SELECT count(*) FROM (
    SELECT 1 FROM claim_links
    WHERE sid = :sid AND subject = :subject AND predicate = :predicate
        AND expired_at = 4611686018427387904
    LIMIT :limit
);

-- name: tail.size_object
SELECT count(*) FROM (
    SELECT 1 FROM claim_links
    WHERE sid = :sid AND subject = :subject AND predicate = :predicate AND object_key = :object
        AND expired_at = 4611686018427387904
    LIMIT :limit
);

-- name: tail.first
SELECT manner FROM claim_links
WHERE sid = :sid AND subject = :subject AND predicate = :predicate
    AND expired_at = 4611686018427387904
ORDER BY manner LIMIT 1;

-- name: tail.last
SELECT manner, reach, claim FROM claim_links
WHERE sid = :sid AND subject = :subject AND predicate = :predicate
    AND expired_at = 4611686018427387904
ORDER BY manner DESC, reach DESC LIMIT 1;

-- name: tail.first_object
SELECT manner FROM claim_links
WHERE sid = :sid AND subject = :subject AND predicate = :predicate AND object_key IS :object
    AND expired_at = 4611686018427387904
ORDER BY manner LIMIT 1;

-- name: tail.last_object
SELECT manner, reach, claim FROM claim_links
WHERE sid = :sid AND subject = :subject AND predicate = :predicate AND object_key IS :object
    AND expired_at = 4611686018427387904
ORDER BY manner DESC, reach DESC LIMIT 1;

-- name: tail.corrected
SELECT 1 FROM claim_links
WHERE sid = :sid AND subject = :subject AND predicate = :predicate AND corrects = 1
    AND expired_at = 4611686018427387904
LIMIT 1;

-- name: tail.beyond_pair
SELECT 1 FROM (
    SELECT 1 FROM claim_links
    WHERE sid = :sid AND subject = :object AND predicate = :predicate AND object_key = :subject
        AND expired_at = 4611686018427387904
    UNION ALL
    SELECT 1 FROM claim_links
    WHERE sid = :sid AND subject IN (:subject, :object) AND predicate = :predicate
        AND object_key IS NULL AND expired_at = 4611686018427387904
    UNION ALL
    SELECT 1 FROM claim_links INDEXED BY claim_links_corrects
    WHERE sid = :sid AND subject IN (:subject, :object) AND predicate = :predicate
        AND corrects = 1 AND expired_at = 4611686018427387904
    UNION ALL
    SELECT 1 FROM claim_links INDEXED BY claim_links_object_corrects
    WHERE sid = :sid AND object_key IN (:subject, :object) AND predicate = :predicate
        AND corrects = 1 AND expired_at = 4611686018427387904
) t
LIMIT 1;

-- name: tail.facts
SELECT f.*, s.successor
FROM fact_claims r
CROSS JOIN fact_records f ON f.sid = r.sid AND f.id = r.fact AND f.expired_at = 4611686018427387904
LEFT JOIN successors s ON s.sid = f.sid AND s.fact = f.id
WHERE r.sid = :sid AND r.claim = :claim AND r.expired_at = 4611686018427387904
LIMIT 2;

-- Without statistics SQLite takes the corrections of a family for as many as its claims.
-- name: family.claims_pair
SELECT claim FROM claim_links
WHERE sid = :sid AND subject = :subject AND predicate = :predicate AND object_key = :object
    AND expired_at >= :alive
UNION
SELECT claim FROM claim_links
WHERE sid = :sid AND subject = :object AND predicate = :predicate AND object_key = :subject
    AND expired_at >= :alive
UNION
SELECT claim FROM claim_links
WHERE sid = :sid AND subject IN (:subject, :object) AND predicate = :predicate
    AND object_key IS NULL AND expired_at >= :alive
UNION
SELECT claim FROM claim_links INDEXED BY claim_links_corrects
WHERE sid = :sid AND subject IN (:subject, :object) AND predicate = :predicate
    AND corrects = 1 AND expired_at >= :alive
UNION
SELECT claim FROM claim_links INDEXED BY claim_links_object_corrects
WHERE sid = :sid AND object_key IN (:subject, :object) AND predicate = :predicate
    AND corrects = 1 AND expired_at >= :alive;

-- name: touching.claims
SELECT claim FROM claim_links
WHERE sid = :sid AND subject = :entity AND expired_at = 4611686018427387904
UNION
SELECT claim FROM claim_links
WHERE sid = :sid AND object_key = :entity AND expired_at = 4611686018427387904;

-- name: touching.facts
SELECT record FROM fact_records
WHERE sid = :sid AND subject_key = :entity AND expired_at = 4611686018427387904
UNION
SELECT record FROM fact_records
WHERE sid = :sid AND object_key = :entity AND expired_at = 4611686018427387904;

-- name: claims.linked
SELECT c.*, k.subject AS k_subject, k.predicate AS k_predicate, k.object_kind AS k_object_kind,
    k.object_key AS k_object_key, k.object_text AS k_object_text, k.polarity AS k_polarity,
    EXISTS (
        SELECT 1 FROM withdrawals w
        WHERE w.sid = c.sid AND w.claim = c.id AND w.created_at <= :at AND w.expired_at > :at
    ) AS withdrawn
FROM json_each(:ids) j
CROSS JOIN claims c ON c.sid = :sid AND c.id = j.value
CROSS JOIN claim_links k ON k.sid = c.sid AND k.claim = c.id
    AND k.created_at <= :at AND k.expired_at > :at
ORDER BY c.said_at, c.said_turn, c.said_place, c.id;

-- name: claims.by_ids
SELECT c.*
FROM json_each(:ids) j CROSS JOIN claims c ON c.sid = :sid AND c.id = j.value
ORDER BY c.said_at, c.said_turn, c.said_place, c.id;

-- name: claims.said_in
SELECT id FROM claims
WHERE sid = :sid AND episode IN (SELECT value FROM json_each(:episodes));

-- name: claims.links
SELECT k.* FROM json_each(:ids) j CROSS JOIN claim_links k ON k.sid = :sid AND k.claim = j.value
ORDER BY k.created_at;

-- name: claims.withdrawals
SELECT w.* FROM json_each(:ids) j CROSS JOIN withdrawals w ON w.sid = :sid AND w.claim = j.value
ORDER BY w.created_at;

-- name: episodes.select
SELECT e.* FROM episodes e WHERE e.sid = :sid;

-- name: episodes.count
SELECT count(*) FROM episodes e WHERE e.sid = :sid;

-- name: episodes.wanted
SELECT e.* FROM json_each(:keys) j CROSS JOIN episodes e ON e.sid = :sid AND e.key = plain(j.value)
    AND e.key IS NOT NULL
UNION
SELECT e.* FROM json_each(:ids) j CROSS JOIN episodes e ON e.sid = :sid AND e.id = j.value
ORDER BY e.occurred_at, e.place, e.id;

-- name: entities.self
SELECT * FROM entities WHERE sid = :sid AND is_self = 1;

-- name: entities.wanted
SELECT e.*
FROM json_each(:keys) j CROSS JOIN entity_names n ON n.sid = :sid AND n.key = plain(j.value)
CROSS JOIN entities e ON e.row = n.entity
UNION
SELECT e.* FROM json_each(:ids) j CROSS JOIN entities e ON e.sid = :sid AND e.id = j.value
ORDER BY e.created_at, e.key;

-- name: entities.select
SELECT e.*, (
    SELECT count(*) FROM (
        SELECT f.row FROM fact_records f
        WHERE f.sid = e.sid AND f.subject_key = e.id AND f.expired_at = 4611686018427387904
        UNION
        SELECT f.row FROM fact_records f
        WHERE f.sid = e.sid AND f.object_key = e.id AND f.expired_at = 4611686018427387904
    )
) AS facts
FROM entities e WHERE e.sid = :sid;

-- name: entities.count
SELECT count(*) FROM entities e WHERE e.sid = :sid;

-- name: suggestions.all
SELECT s.*
FROM suggestions s
LEFT JOIN entities a ON a.sid = s.sid AND a.id = s.first
LEFT JOIN entities b ON b.sid = s.sid AND b.id = s.second
WHERE s.sid = :sid
ORDER BY s.created_at DESC, a.key, b.key, s.id;

-- A step of the walk reads the ends of relations alone; the records follow at the end of it.
-- name: walk.entities
SELECT f.record, f.subject_key, f.predicate, f.object_kind, f.object_key, f.statement, f.said_at,
    f.said_turn, f.said_place
FROM (
    SELECT row FROM fact_records WHERE sid = :sid AND subject_key = :entity
    UNION
    SELECT row FROM fact_records WHERE sid = :sid AND object_key = :entity
) t
CROSS JOIN fact_records f ON f.row = t.row
WHERE f.object_kind = 'entity';

-- name: walk.literals
SELECT f.record, f.subject_key, f.predicate, f.object_kind, f.object_key, f.statement, f.said_at,
    f.said_turn, f.said_place
FROM (SELECT row FROM fact_records WHERE sid = :sid AND subject_key = :entity) t
CROSS JOIN fact_records f ON f.row = t.row
WHERE (f.object_kind IS NULL OR f.object_kind <> 'entity');

-- Facts of some relations that join one of some entities.
-- name: facts.related
SELECT f.record, f.subject_key, f.predicate, f.object_kind, f.object_key, f.statement, f.said_at,
    f.said_turn, f.said_place
FROM (
    SELECT row FROM fact_records
    WHERE sid = :sid AND subject_key IN (SELECT value FROM json_each(:around))
        AND predicate IN (SELECT plain(value) FROM json_each(:relations))
    UNION
    SELECT row FROM fact_records
    WHERE sid = :sid AND object_key IN (SELECT value FROM json_each(:around))
        AND predicate IN (SELECT plain(value) FROM json_each(:relations))
) t
CROSS JOIN fact_records f ON f.row = t.row
WHERE f.sid = :sid;

-- name: walk.known
SELECT f.record, f.subject_key, f.predicate, f.object_kind, f.object_key, f.statement, f.said_at,
    f.said_turn, f.said_place
FROM json_each(:ids) j CROSS JOIN fact_records f ON f.sid = :sid AND f.record = j.value
ORDER BY j.key;

-- name: walk.walked
SELECT e.*
FROM json_each(:ids) j CROSS JOIN entities e ON e.sid = :sid AND e.id = j.value
ORDER BY j.key;

-- name: keyword.facts
SELECT f.record AS ref, round(sum(w.value * p.weight), 9) AS score
FROM json_each(:weights) w
CROSS JOIN postings p ON p.sid = :sid AND p.term = w.key
CROSS JOIN documents d ON d.doc = p.doc AND d.kind = 'fact'
CROSS JOIN fact_records f ON f.row = d.target
WHERE f.sid = :sid;

-- name: keyword.chunks
SELECT d.ref AS ref, round(sum(w.value * p.weight), 9) AS score
FROM json_each(:weights) w
CROSS JOIN postings p ON p.sid = :sid AND p.term = w.key
CROSS JOIN documents d ON d.doc = p.doc AND d.kind = 'chunk'
CROSS JOIN episodes e ON e.row = d.target
WHERE e.sid = :sid;

-- name: keyword.entities
SELECT d.ref AS ref, round(sum(w.value * p.weight), 9) AS score
FROM json_each(:weights) w
CROSS JOIN postings p ON p.sid = :sid AND p.term = w.key
CROSS JOIN documents d ON d.doc = p.doc AND d.kind = 'entity'
CROSS JOIN entities e ON e.row = d.target
WHERE e.sid = :sid;

-- name: terms.points
SELECT points FROM scopes WHERE sid = :sid;

-- name: terms.frequency
SELECT j.value AS term, coalesce(f.documents, 0) AS frequency
FROM json_each(:terms) j LEFT JOIN frequencies f ON f.sid = :sid AND f.term = j.value;
