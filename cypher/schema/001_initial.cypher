// What is unique, and what is looked up. A constraint is also an index. Nothing here may be changed
// once it was released: write another file.

CREATE CONSTRAINT migration_number IF NOT EXISTS
FOR (n:Migration) REQUIRE n.number IS UNIQUE;
CREATE CONSTRAINT meta_key IF NOT EXISTS
FOR (n:Meta) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT scope_id IF NOT EXISTS
FOR (n:Scope) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT scope_key IF NOT EXISTS
FOR (n:Scope) REQUIRE n.key IS UNIQUE;
CREATE INDEX scope_dead IF NOT EXISTS
FOR (n:Scope) ON (n.dead);

CREATE CONSTRAINT change_number IF NOT EXISTS
FOR (n:Change) REQUIRE (n.sid, n.number) IS UNIQUE;
CREATE CONSTRAINT change_key IF NOT EXISTS
FOR (n:Change) REQUIRE (n.sid, n.change_key) IS UNIQUE;

CREATE CONSTRAINT episode_id IF NOT EXISTS
FOR (n:Episode) REQUIRE (n.sid, n.id) IS UNIQUE;
CREATE CONSTRAINT episode_known_as IF NOT EXISTS
FOR (n:Episode) REQUIRE (n.sid, n.known_as) IS UNIQUE;
CREATE INDEX episode_occurred_at IF NOT EXISTS
FOR (n:Episode) ON (n.sid, n.occurred_at);
CREATE INDEX episode_reading IF NOT EXISTS
FOR (n:Episode) ON (n.sid, n.reading, n.occurred_at);
CREATE INDEX episode_session IF NOT EXISTS
FOR (n:Episode) ON (n.sid, n.session_key, n.occurred_at);
CREATE INDEX episode_agent IF NOT EXISTS
FOR (n:Episode) ON (n.sid, n.agent_key);
CREATE CONSTRAINT chunk_id IF NOT EXISTS
FOR (n:Chunk) REQUIRE (n.sid, n.id) IS UNIQUE;

CREATE CONSTRAINT entity_id IF NOT EXISTS
FOR (n:Entity) REQUIRE (n.sid, n.id) IS UNIQUE;
CREATE CONSTRAINT entity_key IF NOT EXISTS
FOR (n:Entity) REQUIRE (n.sid, n.key) IS UNIQUE;
CREATE INDEX entity_created_at IF NOT EXISTS
FOR (n:Entity) ON (n.sid, n.created_at);
CREATE CONSTRAINT name_key IF NOT EXISTS
FOR (n:Name) REQUIRE (n.sid, n.key) IS UNIQUE;
CREATE CONSTRAINT term_term IF NOT EXISTS
FOR (n:Term) REQUIRE (n.sid, n.term) IS UNIQUE;
CREATE CONSTRAINT suggestion_id IF NOT EXISTS
FOR ()-[r:SAME_AS]-() REQUIRE (r.sid, r.id) IS UNIQUE;

CREATE CONSTRAINT claim_id IF NOT EXISTS
FOR (n:Claim) REQUIRE (n.sid, n.id) IS UNIQUE;
CREATE INDEX claim_episode IF NOT EXISTS
FOR (n:Claim) ON (n.sid, n.episode);
CREATE INDEX link_subject IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON (r.sid, r.subject, r.predicate, r.slot, r.expired_at);
CREATE INDEX link_slot IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON (r.sid, r.slot, r.predicate, r.subject, r.expired_at);
CREATE INDEX link_claim IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON (r.sid, r.claim);
CREATE INDEX link_tail IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON (r.sid, r.subject, r.predicate, r.manner, r.reach);
CREATE INDEX link_slot_tail IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON (r.sid, r.subject, r.predicate, r.slot, r.manner, r.reach);
CREATE INDEX link_corrects IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON (r.sid, r.subject, r.predicate, r.corrects);
CREATE INDEX link_slot_corrects IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON (r.sid, r.slot, r.predicate, r.corrects);

CREATE CONSTRAINT fact_id IF NOT EXISTS
FOR (n:Fact) REQUIRE (n.sid, n.id) IS UNIQUE;
CREATE CONSTRAINT record_record IF NOT EXISTS
FOR (n:Record) REQUIRE (n.sid, n.record) IS UNIQUE;
CREATE INDEX record_id IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.id, n.created_at);
CREATE INDEX record_subject IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.subject_key, n.predicate, n.slot, n.expired_at);
CREATE INDEX record_slot IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.slot, n.predicate, n.subject_key, n.expired_at);
CREATE INDEX record_status IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.status, n.expired_at, n.said_at);
CREATE INDEX record_said_at IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.expired_at, n.said_at);
CREATE INDEX record_cause IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.cause_claim);

CREATE CONSTRAINT outbox_seq IF NOT EXISTS
FOR (n:Outbox) REQUIRE n.seq IS UNIQUE;
CREATE INDEX outbox_scope IF NOT EXISTS
FOR (n:Outbox) ON (n.sid, n.kind, n.id);
CREATE CONSTRAINT lease_scope IF NOT EXISTS
FOR (n:Lease) REQUIRE n.sid IS UNIQUE;

CREATE FULLTEXT INDEX terms IF NOT EXISTS
FOR (n:Record|Chunk|Entity) ON EACH [n.sid, n.terms]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
