/** What tells of success and of giving up, without reading the log: kept by webhook and hour. */
export const givenUp = `
alter table attempt_counts add column last_ok_at integer not null default 0;
alter table attempt_counts add column ok_events integer not null default 0;
update attempt_counts set last_ok_at = last_at where ok > 0 and last_outcome = 'ok';
create table accepted_events (
  webhook_no integer not null,
  kind integer not null,
  last_at integer not null,
  primary key (webhook_no, kind)
) without rowid;
create table given_up (
  webhook_no integer not null,
  hour integer not null,
  count integer not null,
  first_seq integer not null,
  last_seq integer not null,
  last_outcome text,
  last_status integer,
  told integer not null default 0,
  primary key (webhook_no, hour)
) without rowid;
create index given_up_by_hour on given_up (told, hour);
`;
