/**
 * For charts: how many deliveries were given up, how long replies took, and the counts of the last month. Hours that
 * `attempt_counts` has no more move to `attempt_history`. Webhook 0 is the sum of all.
 */
export const replyTimes = `
alter table attempt_counts add column given_up integer not null default 0;
alter table attempt_counts add column replies_20 integer not null default 0;
alter table attempt_counts add column replies_50 integer not null default 0;
alter table attempt_counts add column replies_100 integer not null default 0;
alter table attempt_counts add column replies_200 integer not null default 0;
alter table attempt_counts add column replies_500 integer not null default 0;
alter table attempt_counts add column replies_1000 integer not null default 0;
alter table attempt_counts add column replies_2000 integer not null default 0;
alter table attempt_counts add column replies_5000 integer not null default 0;
alter table attempt_counts add column replies_10000 integer not null default 0;
alter table attempt_counts add column replies_slower integer not null default 0;

create table attempt_history (
  webhook_no bigint not null,
  hour bigint not null,
  ok integer not null,
  failed integer not null,
  given_up integer not null,
  replies_20 integer not null,
  replies_50 integer not null,
  replies_100 integer not null,
  replies_200 integer not null,
  replies_500 integer not null,
  replies_1000 integer not null,
  replies_2000 integer not null,
  replies_5000 integer not null,
  replies_10000 integer not null,
  replies_slower integer not null,
  primary key (webhook_no, hour)
);
`;
