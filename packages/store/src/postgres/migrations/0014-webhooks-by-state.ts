/** Counting webhooks by state must not read each of them. */
export const webhooksByState = `
create index webhooks_by_state on webhooks (state) where deleted_at is null;
`;
