-- Statements that remove rows for good. Inside a change they remove what hangs on one thing; in a
-- sweep they remove the rows of a dead scope, a batch at a time.

-- name: erase.claims_of_episode
SELECT id FROM claims WHERE sid = :sid AND episode = :episode;

-- name: erase.claim_rests
DELETE FROM fact_claims WHERE sid = :sid AND claim = :claim RETURNING fact;

-- name: erase.claim_links
DELETE FROM claim_links WHERE sid = :sid AND claim = :claim;

-- name: erase.claim_withdrawals
DELETE FROM withdrawals WHERE sid = :sid AND claim = :claim;

-- name: erase.claim
DELETE FROM claims WHERE sid = :sid AND id = :claim;

-- name: erase.episode
DELETE FROM episodes WHERE row = :row;

-- name: erase.blank_episode
UPDATE episodes SET content = :content, digest = '', key = NULL WHERE row = :row;

-- name: erase.blank_quotes
UPDATE claims SET quote = ''
WHERE sid = :sid AND episode = :episode AND quote <> '' AND instr(:content, quote) = 0;

-- name: erase.rewrite_claim
UPDATE claims SET quote = :quote, statement = :statement WHERE sid = :sid AND id = :claim;

-- name: erase.get_episode
SELECT * FROM episodes WHERE row = :row;

-- name: erase.fact_rows
SELECT row, record FROM fact_records WHERE sid = :sid AND id = :fact;

-- name: erase.fact_records
DELETE FROM fact_records WHERE sid = :sid AND id = :fact;

-- name: erase.fact_rests
DELETE FROM fact_claims WHERE sid = :sid AND fact = :fact;

-- name: erase.fact_successor
DELETE FROM successors WHERE sid = :sid AND fact = :fact;

-- name: erase.fact_as_successor
DELETE FROM successors WHERE sid = :sid AND successor = :fact;

-- name: erase.entity_suggestions
DELETE FROM suggestions WHERE sid = :sid AND (first = :entity OR second = :entity);

-- name: erase.entity
DELETE FROM entities WHERE row = :row;

-- name: sweep.dead
SELECT sid FROM scopes WHERE dead = 1 ORDER BY sid;

-- name: sweep.documents
DELETE FROM documents WHERE doc IN (SELECT doc FROM documents WHERE sid = :sid LIMIT :batch);

-- name: sweep.fact_claims
DELETE FROM fact_claims WHERE row IN (SELECT row FROM fact_claims WHERE sid = :sid LIMIT :batch);

-- name: sweep.fact_records
DELETE FROM fact_records WHERE row IN (SELECT row FROM fact_records WHERE sid = :sid LIMIT :batch);

-- name: sweep.withdrawals
DELETE FROM withdrawals WHERE row IN (SELECT row FROM withdrawals WHERE sid = :sid LIMIT :batch);

-- name: sweep.claim_links
DELETE FROM claim_links WHERE row IN (SELECT row FROM claim_links WHERE sid = :sid LIMIT :batch);

-- name: sweep.claims
DELETE FROM claims WHERE row IN (SELECT row FROM claims WHERE sid = :sid LIMIT :batch);

-- name: sweep.episodes
DELETE FROM episodes WHERE row IN (SELECT row FROM episodes WHERE sid = :sid LIMIT :batch);

-- name: sweep.entities
DELETE FROM entities WHERE row IN (SELECT row FROM entities WHERE sid = :sid LIMIT :batch);

-- name: sweep.suggestions
DELETE FROM suggestions WHERE row IN (SELECT row FROM suggestions WHERE sid = :sid LIMIT :batch);

-- name: sweep.successors
DELETE FROM successors
WHERE sid = :sid AND fact IN (SELECT fact FROM successors WHERE sid = :sid LIMIT :batch);

-- name: sweep.changes
DELETE FROM changes
WHERE sid = :sid AND number IN (SELECT number FROM changes WHERE sid = :sid LIMIT :batch);

-- name: sweep.unsettled
SELECT count(*) FROM outbox WHERE sid = :sid;

-- name: sweep.scope
DELETE FROM scopes
WHERE sid = :sid AND dead = 1 AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.sid = :sid);
