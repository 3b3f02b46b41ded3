/**
 * Counts of attempts by the webhook's number: where 100,000 webhooks are busy, rows and index are half as large as by
 * its id, and a process keeps numbers while they wait.
 */
export const countsByNumber = `
alter table attempt_counts rename to attempt_counts_by_id;
create table attempt_counts (
  webhook_no integer not null,
  hour integer not null,
  ok integer not null,
  failed integer not null,
  last_at integer not null,
  last_outcome text not null,
  last_status integer,
  primary key (webhook_no, hour)
) without rowid;
insert into attempt_counts (webhook_no, hour, ok, failed, last_at, last_outcome, last_status)
select w.no, c.hour, c.ok, c.failed, c.last_at, c.last_outcome, c.last_status
from attempt_counts_by_id c join webhooks w on w.id = c.webhook_id;
drop table attempt_counts_by_id;
`;
