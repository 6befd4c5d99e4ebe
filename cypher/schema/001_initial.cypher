// What is unique, and what is looked up. A constraint is also an index. Nothing here may be changed
// once it was released: write another file.

CREATE CONSTRAINT graphmem_migration_number IF NOT EXISTS
FOR (n:Migration) REQUIRE n.number IS UNIQUE;
CREATE CONSTRAINT graphmem_meta_key IF NOT EXISTS
FOR (n:Meta) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT graphmem_scope_id IF NOT EXISTS
FOR (n:Scope) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT graphmem_scope_key IF NOT EXISTS
FOR (n:Scope) REQUIRE n.key IS UNIQUE;
CREATE INDEX graphmem_scope_dead IF NOT EXISTS
FOR (n:Scope) ON (n.dead);
CREATE INDEX graphmem_scope_erased IF NOT EXISTS
FOR (n:Scope) ON (n.erased);

CREATE CONSTRAINT graphmem_change_number IF NOT EXISTS
FOR (n:Change) REQUIRE (n.sid, n.number) IS UNIQUE;
CREATE CONSTRAINT graphmem_change_key IF NOT EXISTS
FOR (n:Change) REQUIRE (n.sid, n.change_key) IS UNIQUE;

CREATE CONSTRAINT graphmem_episode_id IF NOT EXISTS
FOR (n:Episode) REQUIRE (n.sid, n.id) IS UNIQUE;
CREATE CONSTRAINT graphmem_episode_known_as IF NOT EXISTS
FOR (n:Episode) REQUIRE (n.sid, n.known_as) IS UNIQUE;
CREATE INDEX graphmem_episode_occurred_at IF NOT EXISTS
FOR (n:Episode) ON (n.sid, n.occurred_at);
CREATE INDEX graphmem_episode_reading IF NOT EXISTS
FOR (n:Episode) ON (n.sid, n.reading, n.occurred_at);
CREATE INDEX graphmem_episode_session IF NOT EXISTS
FOR (n:Episode) ON (n.sid, n.session_key, n.occurred_at);
CREATE INDEX graphmem_episode_agent IF NOT EXISTS
FOR (n:Episode) ON (n.sid, n.agent_key);
CREATE CONSTRAINT graphmem_chunk_id IF NOT EXISTS
FOR (n:Chunk) REQUIRE (n.sid, n.id) IS UNIQUE;

CREATE CONSTRAINT graphmem_entity_id IF NOT EXISTS
FOR (n:Entity) REQUIRE (n.sid, n.id) IS UNIQUE;
CREATE CONSTRAINT graphmem_entity_key IF NOT EXISTS
FOR (n:Entity) REQUIRE (n.sid, n.key) IS UNIQUE;
CREATE INDEX graphmem_entity_created_at IF NOT EXISTS
FOR (n:Entity) ON (n.sid, n.created_at);
CREATE CONSTRAINT graphmem_name_key IF NOT EXISTS
FOR (n:Name) REQUIRE (n.sid, n.key) IS UNIQUE;
CREATE CONSTRAINT graphmem_term_term IF NOT EXISTS
FOR (n:Term) REQUIRE (n.sid, n.term) IS UNIQUE;
CREATE CONSTRAINT graphmem_suggestion_id IF NOT EXISTS
FOR ()-[r:SAME_AS]-() REQUIRE (r.sid, r.id) IS UNIQUE;

CREATE CONSTRAINT graphmem_claim_id IF NOT EXISTS
FOR (n:Claim) REQUIRE (n.sid, n.id) IS UNIQUE;
CREATE INDEX graphmem_claim_episode IF NOT EXISTS
FOR (n:Claim) ON (n.sid, n.episode);
CREATE INDEX graphmem_link_subject IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON (r.sid, r.subject, r.predicate, r.slot, r.expired_at);
CREATE INDEX graphmem_link_slot IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON (r.sid, r.slot, r.predicate, r.subject, r.expired_at);
CREATE INDEX graphmem_link_tail IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON (r.sid, r.subject, r.predicate, r.manner, r.reach);
CREATE INDEX graphmem_link_slot_tail IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON (r.sid, r.subject, r.predicate, r.slot, r.manner, r.reach);
CREATE INDEX graphmem_link_corrects IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON (r.sid, r.subject, r.predicate, r.corrects);
CREATE INDEX graphmem_link_slot_corrects IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON (r.sid, r.slot, r.predicate, r.corrects);

CREATE CONSTRAINT graphmem_fact_id IF NOT EXISTS
FOR (n:Fact) REQUIRE (n.sid, n.id) IS UNIQUE;
CREATE CONSTRAINT graphmem_record_record IF NOT EXISTS
FOR (n:Record) REQUIRE (n.sid, n.record) IS UNIQUE;
CREATE INDEX graphmem_record_id IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.id, n.created_at);
CREATE INDEX graphmem_record_subject IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.subject_key, n.predicate, n.slot, n.expired_at);
CREATE INDEX graphmem_record_slot IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.slot, n.predicate, n.subject_key, n.expired_at);
CREATE INDEX graphmem_record_status IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.status, n.expired_at, n.said_at);
CREATE INDEX graphmem_record_said_at IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.said_at, n.created_at, n.expired_at, n.status);
CREATE INDEX graphmem_record_world IF NOT EXISTS
FOR (n:Record)
ON (n.sid, n.status, n.expired_at, n.reads_until, n.reads_from, n.modality, n.may_from);
CREATE INDEX graphmem_record_subject_said IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.subject_key, n.joins, n.said_at);
CREATE INDEX graphmem_record_slot_said IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.slot, n.said_at);
CREATE INDEX graphmem_record_cause IF NOT EXISTS
FOR (n:Record) ON (n.sid, n.cause_claim);

CREATE CONSTRAINT graphmem_outbox_seq IF NOT EXISTS
FOR (n:Outbox) REQUIRE n.seq IS UNIQUE;
CREATE INDEX graphmem_outbox_scope IF NOT EXISTS
FOR (n:Outbox) ON (n.sid, n.kind, n.id);
CREATE INDEX graphmem_outbox_parked IF NOT EXISTS
FOR (n:Outbox) ON (n.parked_at);
CREATE CONSTRAINT graphmem_lease_scope IF NOT EXISTS
FOR (n:Lease) REQUIRE n.sid IS UNIQUE;
CREATE INDEX graphmem_lease_owner IF NOT EXISTS
FOR (n:Lease) ON (n.owner);
CREATE INDEX graphmem_lease_until IF NOT EXISTS
FOR (n:Lease) ON (n.until);

CREATE FULLTEXT INDEX graphmem_terms IF NOT EXISTS
FOR (n:Record|Chunk|Entity) ON EACH [n.sid, n.terms]
OPTIONS {
  indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: true}
};
