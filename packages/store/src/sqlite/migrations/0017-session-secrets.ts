/** Whether who has a portal session may see the secrets of its owner's webhooks. */
export const sessionSecrets = `
alter table portal_sessions add column reveals_secrets integer not null default 1;
`;
