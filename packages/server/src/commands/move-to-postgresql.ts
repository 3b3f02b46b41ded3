import { addHelp, type Define, openProgress, type Progress, table, visible } from "@markethook/cli";
import { moveToPostgres } from "@markethook/store";
import { databaseName } from "../database.ts";
import { readMasterKeys } from "../keys/master-key.ts";
import { readConfig } from "../settings/config.ts";

export const define: Define = (command, context) => {
  const { out } = context;
  addHelp(command, {
    examples: [
      "MARKETHOOK_DATABASE_URL=postgres://db.example/markethook markethook move-to-postgresql",
    ],
    exits: {
      0: "everything is in PostgreSQL",
      2: "nothing was moved, or only another run finds out; the reason is printed",
    },
    notes: () =>
      [
        "Stop the service first. Everything in MARKETHOOK_DATA_DIR goes to the empty database of MARKETHOOK_DATABASE_URL,",
        "with the settings and the master key that the service runs with. There is no way back.",
        "All of it is moved or nothing. After a stop, run it again.",
      ].join("\n"),
  });
  command.action(async () => {
    const config = readConfig(context.env, ["databaseUrl"]);
    const url = config.databaseDirectUrl ?? config.databaseUrl ?? "";
    const to = databaseName(url);
    const { keys } = readMasterKeys(config, { make: false });
    const tell = tellRows((name, total) => openProgress(context, name, total));
    const { moved, rows } = await moveToPostgres({
      folder: config.dataDir,
      url,
      to,
      masterKeys: keys,
      now: () => new Date().toISOString(),
      onRows: tell,
    });
    await out.result({ moved, from: config.dataDir, to, rows }, () => {
      const next = `Start the service with MARKETHOOK_DATABASE_URL. Keep ${visible(config.dataDir)} until it has run for a while; it does not start from there any more.`;
      if (!moved) return `An earlier run has moved everything to ${visible(to)}. ${next}`;
      const counts = Object.entries(rows).map(([name, count]) => [name, String(count)]);
      return `${table(["table", "rows"], counts)}\nEverything is in ${visible(to)}. ${next}`;
    });
  });
};

/** Smaller tables take less than a second. */
const LARGE = 10_000;

/** The progress of a large table while it is copied, and a line at its end. */
function tellRows(
  open: (name: string, total: number) => Progress,
): (name: string, done: number, total: number) => void {
  let at: { name: string; progress: Progress; since: number } | null = null;
  return (name, done, total) => {
    if (total < LARGE) return;
    if (at?.name !== name) at = { name, progress: open(name, total), since: performance.now() };
    const seconds = (performance.now() - at.since) / 1000;
    const rate = `${Math.round(done / Math.max(seconds, 0.001))} rows/s`;
    if (done < total) at.progress.at(done, `${name}: ${done} of ${total} rows, ${rate}`);
    else at.progress.end(`${name}: ${total} rows in ${seconds.toFixed(1)} s, ${rate}`);
  };
}
