/** Indexes of the log whose first part is a number's bucket: `management/log-buckets.ts` says why. */
export const logBuckets = `
drop index done_by_webhook;
create index done_by_webhook on done ((seq / 2097152), webhook_no, seq);
drop index events_by_resource;
create index events_by_resource on events ((seq / 16384), resource_id, seq);
`;
