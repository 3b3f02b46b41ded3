/**
 * `planned_at`: the due time that the retry schedule gave a delivery, where an attempt was asked for before it. It stays
 * until the schedule's own attempt has failed. `asked_until`: what the receiver asked for with `Retry-After`.
 * `pulls`: webhooks whose waiting deliveries are being made due, and how far that has come.
 */
export const earlyAttempts = `
alter table live add column planned_at bigint;
alter table waiting add column planned_at bigint;
alter table waiting add column asked_until bigint;
create table pulls (
  webhook_no bigint primary key,
  by_person integer not null,
  began_at bigint not null,
  next_at bigint not null,
  after_due_at bigint not null,
  after_seq bigint not null
);
create index pulls_by_time on pulls (next_at);
`;
