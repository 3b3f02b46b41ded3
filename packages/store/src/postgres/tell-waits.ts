import type { Client } from "pg";
import { withClient } from "./direct-client.ts";

const EVERY_MS = 5000;
/** Of each look. */
const LIMITS = { connectionTimeoutMillis: EVERY_MS, query_timeout: EVERY_MS };

/** Sessions that keep this one waiting. Another user's state is hidden from users without the right to see it. */
const HOLDERS = `select pid, concat_ws(', ', 'session ' || pid, nullif(application_name, ''), 'user ' || usename, state) as holder
  from pg_stat_activity where pid = any(pg_blocking_pids($1)) order by backend_start`;

/**
 * Reports the sessions that hold a lock for which this one waits, once for the same sessions. Otherwise a start that
 * waits would look like one that hangs. Each look has a connection of its own.
 * @returns the function that ends it
 */
export async function tellWaits(
  url: string,
  client: Client,
  tell: (holders: string[]) => void,
  everyMs = EVERY_MS,
): Promise<() => void> {
  // Behind a pooler the client's own number is not the server's.
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  let told = "";
  const look = async (): Promise<void> => {
    const found = await withClient(
      url,
      (other) => other.query<{ pid: number; holder: string }>(HOLDERS, [rows[0]?.pid]),
      LIMITS,
    );
    const pids = found.rows.map(({ pid }) => pid).join();
    if (pids !== "" && pids !== told) tell(found.rows.map(({ holder }) => holder));
    told = pids;
  };
  let isLooking = false;
  const timer = setInterval(() => {
    // One at a time, because a late answer is out of date. If a look fails, the next one may work.
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch(() => undefined)
      .finally(() => (isLooking = false));
  }, everyMs);
  return () => clearInterval(timer);
}
