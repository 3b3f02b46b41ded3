/**
 * Notices are kept for ever. An owner's are found by an index, and so is the one that says since when a webhook is
 * disabled.
 */
export const noticesByOwner = `
create index notices_by_owner on notices (owner_id, no);
create index notices_by_webhook on notices (webhook_id, kind);
`;
