import { addHelp, type Define, EXIT, table, visible } from "@markethook/cli";
import {
  listPostgresMigrations,
  listSqliteMigrations,
  upgradePostgres,
  upgradeSqlite,
} from "@markethook/store";
import { readConfig } from "../settings/config.ts";
import type { Config } from "../settings/config-schema.ts";
import { databaseName } from "../database.ts";

export const define: Define = (command, context) => {
  command
    .option("--check", "tell what is pending and change nothing")
    .option("--dry-run", "the same as --check");
  addHelp(command, {
    examples: [
      "markethook migrate --check",
      "MARKETHOOK_DATABASE_URL=postgres://db.example/markethook markethook migrate",
    ],
    exits: {
      0: "the database has every migration",
      1: "with --check: some are pending",
      2: "the database cannot be reached, used or brought to this version; the reason is printed",
    },
    notes: () =>
      [
        "The database is the one of MARKETHOOK_DATABASE_URL, or SQLite in MARKETHOOK_DATA_DIR.",
        "`serve` applies pending migrations by itself when it starts.",
      ].join("\n"),
  });
  command.action(
    async ({ check = false, dryRun = false }: { check?: boolean; dryRun?: boolean }) => {
      const { out } = context;
      const database = databaseOf(readConfig(context.env), (holders) =>
        out.remark(`Waiting for a lock that others hold: ${holders.map(visible).join("; ")}.`),
      );
      const before = await database.list();
      const changes = !check && !dryRun && before.some(({ applied }) => !applied);
      if (changes) await database.upgrade();
      const after = changes ? await database.list() : before;
      const states = after.map(({ name, applied }, index) => ({
        name,
        state: applied
          ? before[index]?.applied === true
            ? "applied before"
            : "applied now"
          : "pending",
      }));
      const pending = after.filter(({ applied }) => !applied).length;
      await out.result({ database: database.name, pending, migrations: states }, () => {
        const rows = states.map(({ name, state }) => [name, state]);
        return `${visible(database.name)}\n${table(["migration", "state"], rows)}\n${sentence(pending, changes)}`;
      });
      if (pending > 0) context.exitCode = EXIT.no;
    },
  );
};

function sentence(pending: number, changed: boolean): string {
  if (pending > 0)
    return `${pending} pending; \`markethook migrate\` or the next \`serve\` applies them.`;
  return changed
    ? "The database is at this version now."
    : "The database is at this version; nothing to do.";
}

function databaseOf(config: Config, onWait: (holders: string[]) => void) {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  if (url === null) {
    return {
      name: `SQLite in ${config.dataDir}`,
      list: () => listSqliteMigrations(config.dataDir),
      upgrade: () => upgradeSqlite(config.dataDir),
    };
  }
  return {
    name: databaseName(url),
    list: () => listPostgresMigrations(url),
    upgrade: () => upgradePostgres(url, config.lease, onWait),
  };
}
