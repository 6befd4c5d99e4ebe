-- What is said after everything else of its family is added without reading the family: ``manner``
-- and ``reach`` (graphmem/model/tail.py) of each claim, by which its end is found. Of claims that
-- were written before, nothing is known, and their families are read whole.

ALTER TABLE claim_links ADD COLUMN manner TEXT NOT NULL DEFAULT '';
ALTER TABLE claim_links ADD COLUMN reach INTEGER NOT NULL DEFAULT 4611686018427387904;
CREATE INDEX claim_links_tail ON claim_links (sid, subject, predicate, manner, reach)
    WHERE expired_at = 4611686018427387904;
CREATE INDEX claim_links_object_tail
    ON claim_links (sid, subject, predicate, object_key, manner, reach)
    WHERE expired_at = 4611686018427387904;

-- What corrects something in a symmetric family, from the other end.
CREATE INDEX claim_links_object_corrects ON claim_links (sid, object_key, predicate)
    WHERE corrects = 1;

-- The words of things' names, by which things that may be one are found; ``weight`` as in postings.
CREATE TABLE entity_words (
    sid    INTEGER NOT NULL,
    word   TEXT    NOT NULL,
    entity INTEGER NOT NULL REFERENCES entities (row) ON DELETE CASCADE,
    weight REAL    NOT NULL,
    PRIMARY KEY (sid, word, entity)
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_words_by_entity ON entity_words (entity);
INSERT INTO entity_words (sid, word, entity, weight)
SELECT p.sid, p.term, d.target, max(p.weight)
FROM documents d JOIN postings p ON p.doc = d.doc
WHERE d.kind = 'entity'
GROUP BY p.sid, p.term, d.target;

-- Whether anything of a scope has a label is looked up before labels are gathered.
CREATE INDEX episodes_by_agent ON episodes (sid, agent) WHERE agent IS NOT NULL;
