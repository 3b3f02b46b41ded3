/** Deleted webhooks keep their log. The other indexes by owner and resource have only those that are there. */
export const deletedWebhooks = `
create index deleted_webhooks_by_owner on webhooks (owner_id, no) where deleted_at is not null;
create index deleted_webhooks_by_resource on webhooks (resource_id, no) where deleted_at is not null;
`;
