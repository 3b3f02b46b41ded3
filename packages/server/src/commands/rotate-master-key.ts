import { setTimeout as wait } from "node:timers/promises";
import { addHelp, type Define, openProgress, type Progress } from "@markethook/cli";
import {
  rotatePostgresMasterKey,
  rotateSqliteMasterKey,
  type MasterKeyRotationOptions,
} from "@markethook/store";
import { readConfig } from "../settings/config.ts";
import type { Config } from "../settings/config-schema.ts";
import { readMasterKeys } from "../keys/master-key.ts";

/** Between two batches, which take a few milliseconds each. */
const PAUSE_MS = 10;

export const define: Define = (command, context) => {
  const { out } = context;
  command.option("--dry-run", "count only", false);
  addHelp(command, {
    examples: [
      "markethook rotate-key --dry-run",
      'MARKETHOOK_MASTER_KEY="$NEW,$OLD" markethook rotate-key',
    ],
    exits: {
      0: "everything is encrypted under the first master key",
      2: "the database or a key is missing, or a running instance does not have the key first yet",
    },
    notes: () =>
      [
        "Give it the settings that the service runs with: the database, and the master keys, the new one first.",
        "The service goes on meanwhile. When this has ended, the old key can be taken away at the next restart.",
        "After a stop, run it again: it goes on from where it was.",
      ].join("\n"),
  });
  command.action(async ({ dryRun }: { dryRun: boolean }) => {
    const config = readConfig(context.env);
    const { keys } = readMasterKeys(config, { make: false });
    let progress: Progress | null = null;
    let at = { examined: 0, total: 0 };
    const { examined, rotated, keyId } = await rotateIn(config, {
      masterKeys: keys,
      dryRun,
      onProgress: (now) => void (at = now),
      async pause() {
        progress ??= openProgress(context, "Webhooks", at.total);
        progress.at(at.examined);
        await wait(PAUSE_MS);
      },
    });
    await out.result({ dryRun, examined, rotated, keyId }, () =>
      dryRun
        ? `${rotated} would be encrypted again, of ${examined} webhooks and the store's own key; under ${keyId}.`
        : `${rotated} encrypted again. Everything is under the key ${keyId} now; others are no longer needed.`,
    );
  });
};

async function rotateIn(config: Config, options: MasterKeyRotationOptions) {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  return url === null
    ? await rotateSqliteMasterKey(config.dataDir, options)
    : await rotatePostgresMasterKey(url, options);
}
