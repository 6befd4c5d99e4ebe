-- In how many documents of a scope a term occurs, so that asking does not count them: in a scope of
-- a hundred thousand facts common words are in most. Kept by triggers; a term that is in none has
-- no row, since it may have been erased.

CREATE TABLE frequencies (
    sid       INTEGER NOT NULL,
    term      TEXT    NOT NULL,
    documents INTEGER NOT NULL,
    PRIMARY KEY (sid, term)
) STRICT, WITHOUT ROWID;

INSERT INTO frequencies (sid, term, documents)
SELECT sid, term, count(*) FROM postings GROUP BY sid, term;

CREATE TRIGGER postings_added AFTER INSERT ON postings
BEGIN
    INSERT INTO frequencies (sid, term, documents) VALUES (new.sid, new.term, 1)
    ON CONFLICT (sid, term) DO UPDATE SET documents = documents + 1;
END;
CREATE TRIGGER postings_removed AFTER DELETE ON postings
BEGIN
    UPDATE frequencies SET documents = documents - 1 WHERE sid = old.sid AND term = old.term;
    DELETE FROM frequencies WHERE sid = old.sid AND term = old.term AND documents = 0;
END;
