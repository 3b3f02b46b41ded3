/** Hosts that answered 2xx once: others get few requests in a second. */
export const hosts = `
create table confirmed_hosts (
  host text primary key,
  confirmed_at integer not null
) without rowid;
create index confirmed_hosts_by_age on confirmed_hosts (confirmed_at);
`;
