/** Who changed what: rows are only ever added, and a chain of hashes shows whoever gets around that. */
export const audit = `
create table audit (
  no integer primary key,
  at integer not null,
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
  no integer not null,
  hash text not null,
  seal text not null
);
insert into audit_head (one, no, hash, seal) values (1, 0, '', '');

create trigger audit_no_update before update on audit begin
  select raise(abort, 'rows of the audit log are never changed');
end;
create trigger audit_no_delete before delete on audit begin
  select raise(abort, 'rows of the audit log are never deleted');
end;

alter table events add column erased_at integer;

alter table instances add column key_ids text;
`;
