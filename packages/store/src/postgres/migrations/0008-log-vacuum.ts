/**
 * What is only written and read is not vacuumed because of what was added to it: each page would go into the database's
 * log once more as a whole, four times what the deliveries of that minute write. Rows stand here for a time and are
 * pruned, and what is pruned is vacuumed as ever.
 */
export const logVacuum = `
alter table events set (autovacuum_vacuum_insert_threshold = -1);
alter table idempotency_keys set (autovacuum_vacuum_insert_threshold = -1);
alter table done set (autovacuum_vacuum_insert_threshold = -1);
alter table attempts set (autovacuum_vacuum_insert_threshold = -1);
`;
