/**
 * How long a session lasts without use, and until when it can be renewed at most; null for those made before, which
 * cannot be.
 */
export const sessionRenewal = `
alter table portal_sessions add column lifetime_ms bigint;
alter table portal_sessions add column renewable_until bigint;
`;
