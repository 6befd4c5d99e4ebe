-- Things that entered at one instant are listed by their keys; their ids are random.

DROP INDEX entities_by_time;
CREATE INDEX entities_by_time ON entities (sid, created_at, key);
