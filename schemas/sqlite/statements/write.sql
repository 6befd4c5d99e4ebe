-- Statements that write a change set.

-- name: scope.find
SELECT sid, at, number FROM scopes WHERE tenant = :tenant AND user = :user AND dead = 0;

-- name: scope.create
INSERT INTO scopes (tenant, user, at, number) VALUES (:tenant, :user, :at, :number);

-- name: scope.advance
UPDATE scopes SET at = :at, number = :number WHERE sid = :sid;

-- name: change.find
SELECT number, at FROM changes WHERE sid = :sid AND change_id = :change_id;

-- name: change.insert
INSERT INTO changes (sid, number, at, change_id) VALUES (:sid, :number, :at, :change_id);

-- name: episode.insert
INSERT INTO episodes (
    sid, id, key, session, agent, place, role, speaker, content, occurred_at, zone, time_given,
    created_at, channel, digest, reading, reason
) VALUES (
    :sid, :id, :key, :session, :agent, :place, :role, :speaker, :content, :occurred_at, :zone,
    :time_given, :created_at, :channel, :digest, :reading, :reason
);

-- name: episode.mark
UPDATE episodes SET reading = :reading, reason = :reason WHERE sid = :sid AND id = :id;

-- name: episode.row
SELECT row FROM episodes WHERE sid = :sid AND id = :id;

-- name: entity.insert
INSERT INTO entities (sid, id, name, key, types, aliases, is_self, merged_into, created_at)
VALUES (:sid, :id, :name, :key, :types, :aliases, :is_self, :merged_into, :created_at);

-- name: entity.update
UPDATE entities
SET name = :name, key = :key, types = :types, aliases = :aliases, is_self = :is_self,
    merged_into = :merged_into
WHERE sid = :sid AND id = :id;

-- name: entity.row
SELECT row FROM entities WHERE sid = :sid AND id = :id;

-- name: entity.holder
SELECT id FROM entities WHERE sid = :sid AND key = :key;

-- name: entity_name.insert
INSERT OR IGNORE INTO entity_names (sid, key, entity) VALUES (:sid, :key, :entity);

-- name: entity_name.clear
DELETE FROM entity_names WHERE entity = :entity;

-- name: entity_word.insert
INSERT INTO entity_words (sid, word, entity, weight) VALUES (?, ?, ?, ?);

-- name: entity_word.clear
DELETE FROM entity_words WHERE entity = :entity;

-- name: claim.insert
INSERT INTO claims (
    sid, id, episode, session, subject, predicate, object, polarity, modality, form, start, "end",
    qualifiers, beside, correction, quote, said_at, said_turn, said_place, source, authority,
    confidence, importance, statement, created_at
) VALUES (
    :sid, :id, :episode, :session, :subject, :predicate, :object, :polarity, :modality, :form,
    :start, :end, :qualifiers, :beside, :correction, :quote, :said_at, :said_turn, :said_place,
    :source, :authority, :confidence, :importance, :statement, :created_at
);

-- name: claim.get
SELECT * FROM claims WHERE sid = :sid AND id = :id;

-- name: claim.row
SELECT row FROM claims WHERE sid = :sid AND id = :id;

-- name: link.drop_new
DELETE FROM claim_links
WHERE sid = :sid AND claim = :claim AND expired_at = 4611686018427387904 AND created_at = :now;

-- name: link.end
UPDATE claim_links SET expired_at = :now
WHERE sid = :sid AND claim = :claim AND expired_at = 4611686018427387904;

-- name: link.insert
INSERT INTO claim_links (
    sid, claim, subject, predicate, object_kind, object_key, object_text, polarity, corrects,
    manner, reach, created_at, expired_at
) VALUES (
    :sid, :claim, :subject, :predicate, :object_kind, :object_key, :object_text, :polarity,
    :corrects, :manner, :reach, :created_at, :expired_at
);

-- name: withdrawal.live
SELECT row, created_at FROM withdrawals
WHERE sid = :sid AND claim = :claim AND expired_at = 4611686018427387904;

-- name: withdrawal.insert
INSERT INTO withdrawals (sid, claim, reason, created_at, expired_at)
VALUES (:sid, :claim, :reason, :created_at, :expired_at);

-- name: withdrawal.end
UPDATE withdrawals SET expired_at = :now WHERE row = :row;

-- name: withdrawal.drop
DELETE FROM withdrawals WHERE row = :row;

-- name: fact.insert
INSERT INTO fact_records (
    sid, record, id, subject_kind, subject_key, subject_text, predicate, object_kind, object_key,
    object_text, polarity, modality, qualifiers, statement, start, "end", status, event,
    confidence, importance, said_at, said_turn, said_place, cause_rule, cause_claim, cause_reason,
    created_at, expired_at, reads_from, reads_until, may_from
) VALUES (
    :sid, :record, :id, :subject_kind, :subject_key, :subject_text, :predicate, :object_kind,
    :object_key, :object_text, :polarity, :modality, :qualifiers, :statement, :start, :end,
    :status, :event, :confidence, :importance, :said_at, :said_turn, :said_place, :cause_rule,
    :cause_claim, :cause_reason, :created_at, :expired_at, :reads_from, :reads_until, :may_from
);

-- name: fact.live
SELECT row, record, created_at FROM fact_records
WHERE sid = :sid AND id = :fact AND expired_at = 4611686018427387904;

-- name: fact.end
UPDATE fact_records SET expired_at = :now WHERE row = :row;

-- name: fact.drop
DELETE FROM fact_records WHERE row = :row;

-- Of most facts nothing is there yet.
-- name: fact.known
SELECT CASE
    WHEN EXISTS (SELECT 1 FROM fact_records WHERE sid = :sid AND record = :record) THEN 2
    WHEN EXISTS (SELECT 1 FROM fact_records WHERE sid = :sid AND id = :fact)
        OR EXISTS (SELECT 1 FROM successors WHERE sid = :sid AND fact = :fact)
        OR EXISTS (SELECT 1 FROM fact_claims WHERE sid = :sid AND fact = :fact) THEN 1
    ELSE 0
END;

-- name: rest.live
SELECT claim, created_at FROM fact_claims
WHERE sid = :sid AND fact = :fact AND expired_at = 4611686018427387904;

-- name: rest.insert
INSERT INTO fact_claims (sid, fact, claim, created_at, expired_at)
VALUES (:sid, :fact, :claim, :created_at, :expired_at);

-- Whether one of some claims, which a fact does not rest on yet, was said in a session or by an
-- agent that its evidence has not. Looked up from the session, which is shorter than the evidence.
-- name: rest.new_label
SELECT 1
FROM json_each(:claims) j
CROSS JOIN claims c ON c.sid = :sid AND c.id = j.value
CROSS JOIN episodes e ON e.sid = c.sid AND e.id = c.episode
WHERE (e.session IS NOT NULL OR e.agent IS NOT NULL) AND NOT EXISTS (
    SELECT 1
    FROM episodes o
    CROSS JOIN claims k ON k.sid = o.sid AND k.episode = o.id
    CROSS JOIN fact_claims r ON r.sid = k.sid AND r.claim = k.id AND r.fact = :fact
        AND r.expired_at = 4611686018427387904
    WHERE o.sid = e.sid AND o.session IS e.session AND o.agent IS e.agent
)
LIMIT 1;

-- name: rest.end
UPDATE fact_claims SET expired_at = :now
WHERE sid = :sid AND fact = :fact AND claim = :claim AND expired_at = 4611686018427387904;

-- name: rest.drop_new
DELETE FROM fact_claims
WHERE sid = :sid AND fact = :fact AND claim = :claim AND created_at = :now;

-- name: claim.unknown
SELECT value FROM json_each(:ids)
WHERE value NOT IN (
    SELECT id FROM claims WHERE sid = :sid AND id IN (SELECT value FROM json_each(:ids))
)
LIMIT 1;

-- name: successor.put
INSERT OR REPLACE INTO successors (sid, fact, successor, created_at)
VALUES (:sid, :fact, :successor, :created_at);

-- name: successor.clear
DELETE FROM successors WHERE sid = :sid AND fact = :fact;

-- name: suggestion.put
INSERT INTO suggestions (sid, id, first, second, reason, state, created_at)
VALUES (:sid, :id, :first, :second, :reason, :state, :created_at)
ON CONFLICT (sid, id) DO UPDATE
SET first = excluded.first, second = excluded.second, reason = excluded.reason,
    state = excluded.state;

-- name: document.insert
INSERT INTO documents (sid, kind, target, ref, terms) VALUES (:sid, :kind, :target, :ref, :terms);

-- name: document.clear
DELETE FROM documents WHERE sid = :sid AND kind = :kind AND target = :target RETURNING ref;

-- name: posting.insert
INSERT INTO postings (sid, term, doc, weight) VALUES (?, ?, ?, ?);
