/**
 * What waits of one buyer stands together, whatever webhook it is for: new rows of a fan-out, and of buyers that come
 * one after the other, share a few pages of the index instead of taking one per webhook.
 */
export const waitingByBuyer = `
drop index waiting_by_order;
create index waiting_by_order on waiting (order_key, webhook_no, seq);
`;
