/**
 * Idempotency keys as 16 bytes of a hash, in generations: what is inserted lies together, and what is too old as well.
 * `new_keys` has those that come first, in the order in which they came: see `sqlite/new-keys.ts`. `mh_short_hash` is
 * a function of the connection. Keys that are stored go on, each in the generation of its time.
 */
export const keyGenerations = `
create table key_generations (
  no integer primary key,
  began_at integer not null
);
insert into key_generations (no, began_at)
  select distinct created_at / 43200000, created_at / 43200000 * 43200000 from idempotency_keys;
insert into key_generations (no, began_at)
  select 0, 0 where not exists (select 1 from key_generations);

alter table idempotency_keys rename to old_keys;
create table idempotency_keys (
  generation integer not null,
  key blob not null,
  body_hash blob not null,
  event_seq integer not null,
  tag text not null,
  primary key (generation, key)
) without rowid;
insert into idempotency_keys (generation, key, body_hash, event_seq, tag)
  select created_at / 43200000, mh_short_hash(key),
    case body_hash when '' then x'' else mh_short_hash(body_hash) end, event_seq, tag
  from old_keys order by created_at;
drop table old_keys;

create table new_keys (
  no integer primary key,
  key blob not null,
  body_hash blob not null,
  event_seq integer not null,
  tag text not null
);
`;
