/**
 * The number of a lease: an instance can lease a delivery again, and a repeated old write must not fit the new lease. In
 * `waiting` it is that of the last lease, 0 where there was none.
 */
export const leaseNumbers = `
alter table live add column lease integer not null default 1;
alter table waiting add column lease integer not null default 0;
`;
