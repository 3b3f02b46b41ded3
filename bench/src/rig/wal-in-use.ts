import { execute } from "@markethook/store/testing";

/** Of 16 MiB. */
const FILES = 100;

/**
 * A server that has run for a while writes its log into files that it used before. A new one fills each with zeros
 * first, and flushes them, while commits wait: a twentieth of the rate, and only in a server's first minutes.
 */
export async function putWalInUse(url: string): Promise<void> {
  await execute(url, "alter system set min_wal_size = '2GB'");
  await execute(url, "select pg_reload_conf()");
  for (let file = 0; file < FILES; file += 1) {
    await execute(url, "select pg_logical_emit_message(false, 'bench', '')");
    await execute(url, "select pg_switch_wal()");
  }
  await execute(url, "checkpoint");
}

/** A server that was given goes on with its own setting. */
export async function leaveWal(url: string): Promise<void> {
  await execute(url, "alter system reset min_wal_size");
  await execute(url, "select pg_reload_conf()");
}
