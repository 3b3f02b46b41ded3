/**
 * Idempotency keys as 16 bytes of a hash, in generations: what is inserted lies together, and what is too old as well.
 * Keys that are stored go on, each in the generation of its time.
 */
export const keyGenerations = `
create table key_generations (
  no bigint primary key,
  began_at bigint not null
);
insert into key_generations (no, began_at)
  select distinct created_at / 43200000, created_at / 43200000 * 43200000 from idempotency_keys;
insert into key_generations (no, began_at)
  select 0, 0 where not exists (select 1 from key_generations);

alter table idempotency_keys rename to old_keys;
alter index idempotency_keys_pkey rename to old_keys_pkey;
create table idempotency_keys (
  generation bigint not null,
  key bytea not null,
  body_hash bytea not null,
  event_seq bigint not null,
  tag text not null
);
insert into idempotency_keys (generation, key, body_hash, event_seq, tag)
  select created_at / 43200000, substring(sha256(convert_to(key, 'UTF8')) from 1 for 16),
    case body_hash when '' then '' else substring(sha256(convert_to(body_hash, 'UTF8')) from 1 for 16) end,
    event_seq, tag
  from old_keys;
alter table idempotency_keys add primary key (generation, key);
drop table old_keys;
alter table idempotency_keys set (autovacuum_vacuum_insert_threshold = -1);
`;
