/** Our own settings of sessions and transactions, where those that a role or a database has as its defaults would harm. */

/** A connection that was dropped without notice would otherwise report it after a quarter of an hour. */
export const HOT_QUERY_MS = 10_000;

/**
 * Every statement of the hot path has an index, and plans that were made while a table was empty must not read all of it
 * later. Without sequential scans, a plan that still reads a whole small table has a huge cost. PostgreSQL up to 17 would
 * compile it for that (JIT), which takes a second of processor time at each claim. The first plans of a connection would be
 * for their parameters: an instance that the statistics do not know seems to have no leases, so reading all leased
 * deliveries would look cheap.
 *
 * The others replace defaults that a role or a database may have. Some hide warnings, also the one of a commit that its
 * standby did not confirm. Some end statements that wait for their turn. Without `array_nulls` a null in an array is read
 * as text. The limit of a statement is longer than our own wait for it, because behind a pooler we cannot end its session.
 */
const HOT = [
  "idle_in_transaction_session_timeout = '4s'",
  `statement_timeout = ${HOT_QUERY_MS + 1000}`,
  "lock_timeout = 0",
  "array_nulls = on",
  "client_min_messages = warning",
  "enable_seqscan = off",
  "jit = off",
  "plan_cache_mode = force_generic_plan",
];

/**
 * With `off` a commit is confirmed before it is on the server's disk, so a crash can undo what was answered with 202. All
 * other values wait for the disk. Which standbys to wait for is the operator's choice.
 */
const durable = (isLocal: boolean): string =>
  `select set_config('synchronous_commit', 'on', ${isLocal}) where current_setting('synchronous_commit') = 'off'`;

/** It ends the whole session. Our statements have limits of their own. Unknown before PostgreSQL 17. */
const unlimited = (isLocal: boolean): string =>
  `select set_config('transaction_timeout', '0', ${isLocal}) where current_setting('transaction_timeout', true) <> '0'`;

const ours = (isLocal: boolean): string => `${durable(isLocal)}; ${unlimited(isLocal)}`;

export const HOT_SESSION = [...HOT.map((setting) => `set ${setting}`), ours(false)].join("; ");

/** A database or a role can have defaults under which changes that meet fail instead of waiting for each other. */
export const WAITS = `set default_transaction_isolation = 'read committed'; set lock_timeout = 0; set array_nulls = on; ${ours(false)}`;

/**
 * A process that stands still, or a machine that is gone, keeps the locks of its transaction. Others wait for them,
 * because each audited change locks the same row.
 */
export const BEGIN_BRIEF = `begin isolation level read committed; set local idle_in_transaction_session_timeout = '4s'; set local client_min_messages = warning; set local lock_timeout = 0; set local array_nulls = on; ${ours(true)}`;

/**
 * For a transaction of minutes that has the database for itself. One whose process stands still for that long is ended.
 * It waits for others' locks only briefly.
 */
export const BEGIN_LONG = `begin isolation level read committed; set local idle_in_transaction_session_timeout = '5min'; set local statement_timeout = 0; set local lock_timeout = '10s'; set local client_min_messages = warning; set local jit = off; ${ours(true)}`;

/** Set explicitly, not left to the server's default: the second reading of keys that others won needs a new snapshot. */
export const BEGIN = "begin isolation level read committed";
/** A pooler would keep a session's settings for other sessions. */
export const BEGIN_POOLED = [
  BEGIN,
  ...HOT.map((setting) => `set local ${setting}`),
  ours(true),
].join("; ");
