/**
 * An idempotency key counts within its resource: what is stored gets the resource of its event. A key whose event is
 * pruned already stays as it is until it is pruned itself: a repeat of it would be a new event. That needs a retention
 * of deliveries shorter than that of keys.
 */
export const keysPerResource = `
update idempotency_keys set key = 'r:' || substr(key, 3) || ':' ||
  (select e.resource_id from events e where e.seq = event_seq)
where key >= 'k:' and key < 'k;' and exists (select 1 from events e where e.seq = event_seq);
`;
