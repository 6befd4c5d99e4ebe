-- Statements that look for what should not be; each gives one text a finding.

-- name: check.two_live
SELECT 'the fact ' || id || ' has ' || count(*) || ' live records'
FROM fact_records WHERE expired_at = 4611686018427387904 GROUP BY sid, id HAVING count(*) > 1;

-- name: check.overlap
SELECT DISTINCT 'records of the fact ' || a.id || ' overlap in record time'
FROM fact_records a JOIN fact_records b
    ON b.sid = a.sid AND b.id = a.id AND b.row <> a.row
    AND b.created_at >= a.created_at AND b.created_at < a.expired_at;

-- name: check.record_interval
SELECT 'the record ' || record || ' leaves the store before it enters'
FROM fact_records WHERE expired_at <= created_at;

-- name: check.valid_interval
SELECT 'the record ' || record || ' ends before it begins'
FROM fact_records WHERE reads_until < may_from;

-- name: check.unfounded
SELECT 'the fact ' || f.id || ' rests on no claim'
FROM fact_records f
WHERE f.expired_at = 4611686018427387904 AND f.status <> 'retracted' AND NOT EXISTS (
    SELECT 1 FROM fact_claims r
    WHERE r.sid = f.sid AND r.fact = f.id AND r.expired_at = 4611686018427387904
);

-- name: check.withdrawn
SELECT 'the fact ' || f.id || ' rests on withdrawn claims alone'
FROM fact_records f
WHERE f.expired_at = 4611686018427387904 AND f.status <> 'retracted' AND EXISTS (
    SELECT 1 FROM fact_claims r
    WHERE r.sid = f.sid AND r.fact = f.id AND r.expired_at = 4611686018427387904
) AND NOT EXISTS (
    SELECT 1 FROM fact_claims r
    WHERE r.sid = f.sid AND r.fact = f.id AND r.expired_at = 4611686018427387904
    AND NOT EXISTS (
        SELECT 1 FROM withdrawals w
        WHERE w.sid = r.sid AND w.claim = r.claim AND w.expired_at = 4611686018427387904
    )
);

-- name: check.no_fact
SELECT DISTINCT 'the claim ' || r.claim || ' carries the fact ' || r.fact || ', which is not there'
FROM fact_claims r
WHERE NOT EXISTS (SELECT 1 FROM fact_records f WHERE f.sid = r.sid AND f.id = r.fact);

-- name: check.no_link
SELECT 'the claim ' || c.id || ' has no live link'
FROM claims c WHERE NOT EXISTS (
    SELECT 1 FROM claim_links k
    WHERE k.sid = c.sid AND k.claim = c.id AND k.expired_at = 4611686018427387904
);

-- name: check.link_entity
SELECT 'the claim ' || k.claim || ' is linked to an entity that is not there'
FROM claim_links k
WHERE NOT EXISTS (SELECT 1 FROM entities e WHERE e.sid = k.sid AND e.id = k.subject)
    OR (k.object_kind = 'entity' AND NOT EXISTS (
        SELECT 1 FROM entities e WHERE e.sid = k.sid AND e.id = k.object_key
    ));

-- name: check.fact_entity
SELECT 'the record ' || f.record || ' names an entity that is not there'
FROM fact_records f
WHERE (f.subject_kind = 'entity' AND NOT EXISTS (
        SELECT 1 FROM entities e WHERE e.sid = f.sid AND e.id = f.subject_key
    ))
    OR (f.object_kind = 'entity' AND NOT EXISTS (
        SELECT 1 FROM entities e WHERE e.sid = f.sid AND e.id = f.object_key
    ));

-- name: check.merged_entity
SELECT 'the entity ' || e.id || ' was merged into one that is not there'
FROM entities e
WHERE e.merged_into IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM entities o WHERE o.sid = e.sid AND o.id = e.merged_into);

-- name: check.suggestion_entity
SELECT 'the suggestion ' || s.id || ' names an entity that is not there'
FROM suggestions s
WHERE NOT EXISTS (SELECT 1 FROM entities e WHERE e.sid = s.sid AND e.id = s.first)
    OR NOT EXISTS (SELECT 1 FROM entities e WHERE e.sid = s.sid AND e.id = s.second);

-- name: check.fact_terms
SELECT 'the record ' || f.record || ' has no keywords'
FROM fact_records f WHERE NOT EXISTS (
    SELECT 1 FROM documents d WHERE d.sid = f.sid AND d.kind = 'fact' AND d.target = f.row
);

-- name: check.entity_terms
SELECT 'the entity ' || e.id || ' has no keywords'
FROM entities e WHERE e.merged_into IS NULL AND NOT EXISTS (
    SELECT 1 FROM documents d WHERE d.sid = e.sid AND d.kind = 'entity' AND d.target = e.row
);

-- name: check.postings
SELECT 'the keywords of ' || d.ref || ' are incomplete'
FROM documents d WHERE d.terms <> (SELECT count(*) FROM postings p WHERE p.doc = d.doc);

-- name: check.leftover_terms
SELECT 'the keywords of ' || d.ref || ' are of something that is not there'
FROM documents d
WHERE NOT EXISTS (
    SELECT 1 FROM fact_records f WHERE d.kind = 'fact' AND f.row = d.target AND f.sid = d.sid
) AND NOT EXISTS (
    SELECT 1 FROM episodes e WHERE d.kind = 'chunk' AND e.row = d.target AND e.sid = d.sid
) AND NOT EXISTS (
    SELECT 1 FROM entities n WHERE d.kind = 'entity' AND n.row = d.target AND n.sid = d.sid
);

-- name: check.points
SELECT 'a scope counts ' || s.points || ' records with keywords where there are others'
FROM scopes s
WHERE s.points <> (SELECT count(*) FROM documents d WHERE d.sid = s.sid AND d.terms > 0);

-- name: check.frequencies
SELECT 'a scope counts a term ' || f.documents || ' times where it is in ' || f.there || ' records'
FROM (
    SELECT f.documents, (
        SELECT count(*) FROM postings p WHERE p.sid = f.sid AND p.term = f.term
    ) AS there
    FROM frequencies f
) f
WHERE f.documents <> f.there
UNION ALL
SELECT 'a scope does not count a term that is in ' || count(*) || ' records'
FROM postings p
WHERE NOT EXISTS (SELECT 1 FROM frequencies f WHERE f.sid = p.sid AND f.term = p.term)
GROUP BY p.sid, p.term;

-- name: verify.episodes_without_terms
SELECT e.* FROM episodes e WHERE NOT EXISTS (
    SELECT 1 FROM documents d WHERE d.sid = e.sid AND d.kind = 'chunk' AND d.target = e.row
);
