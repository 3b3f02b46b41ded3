/** Whether a webhook's requests carry the details of events. */
export const includedDetails =
  "alter table webhooks add column include_details integer not null default 0";
