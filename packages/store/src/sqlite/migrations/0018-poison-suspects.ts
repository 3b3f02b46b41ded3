/**
 * `suspicion`: the level of a delivery that may have ended the process that sent it, 0 for nearly all. `suspected_in`: the
 * life whose end gave it that level, so that it can be taken back where the process goes on after all.
 * `survived`: the process goes on under another life. `unclean_end` has one row: the last life that ended without
 * stopping, and from when on what it held is not treated as suspect any more.
 */
export const poisonSuspects = `
alter table live rename column rescues to suspicion;
alter table live drop column crashes;
alter table waiting rename column rescues to suspicion;
alter table waiting drop column crashes;
alter table waiting add column suspected_in integer;
update live set suspicion = 1 where suspicion > 1;
update waiting set suspicion = 1 where suspicion > 1;
create index live_suspects on live (suspicion) where suspicion > 0;
create index waiting_suspects on waiting (suspicion) where suspicion > 0;
create index waiting_suspected on waiting (suspected_in) where suspected_in is not null;
alter table instances add column survived integer not null default 0;
create table unclean_end (
  one integer primary key check (one = 1),
  life integer not null,
  at integer not null,
  before_at integer not null,
  healthy_at integer not null
);
insert into unclean_end values (1, 0, 0, 0, 0);
`;
