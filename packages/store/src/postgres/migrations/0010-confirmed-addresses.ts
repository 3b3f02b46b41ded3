/**
 * What is confirmed is an address under a name: its owner can point the name elsewhere. Which addresses the names of
 * before had is not known; their next answers tell.
 */
export const confirmedAddresses = `
drop table confirmed_hosts;
create table confirmed_addresses (
  host text not null,
  address text not null,
  confirmed_at bigint not null,
  primary key (host, address)
);
create index confirmed_addresses_by_age on confirmed_addresses (confirmed_at);
`;
