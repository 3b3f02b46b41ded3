/** Who changed what: rows are only ever added, and a chain of hashes shows whoever gets around that. */
export const audit = `
create table audit (
  no bigint primary key,
  at bigint not null,
  key_id text not null,
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  owner_id text,
  resource_id text,
  was text,
  became text,
  request_id text,
  hash text not null
);
create index audit_by_owner on audit (owner_id, no) where owner_id is not null;
create index audit_by_subject on audit (subject_id, no);

create table audit_head (
  one integer primary key check (one = 1),
  no bigint not null,
  hash text not null,
  seal text not null
);
insert into audit_head (one, no, hash, seal) values (1, 0, '', '');

create function mh_audit_is_kept() returns trigger language plpgsql as
  $$ begin raise exception 'rows of the audit log are never changed or deleted'; end $$;
create trigger audit_is_kept before update or delete or truncate on audit
  for each statement execute function mh_audit_is_kept();

alter table events add column erased_at bigint;

alter table instances add column key_ids text;
`;
