import { checkClock } from "./check-clock.ts";
import { checkDisk, checkFiles } from "./check-files.ts";
import { checkGuard } from "./check-guard.ts";
import { checkKeys } from "./check-keys.ts";
import { checkPostgres } from "./check-postgres.ts";
import { checkProxy } from "./check-proxy.ts";
import { checkSchema } from "./check-schema.ts";
import { checkService } from "./check-service.ts";
import { checkSettings } from "./check-settings.ts";
import { checkSqlite } from "./check-sqlite.ts";
import { checkSystem } from "./check-system.ts";
import { checkUrls } from "./check-urls.ts";
import type { Facts } from "./facts.ts";
import type { Finding } from "./catalogue.ts";

const CHECKS: readonly ((facts: Facts) => Iterable<Finding>)[] = [
  checkSettings,
  checkGuard,
  checkFiles,
  checkDisk,
  checkKeys,
  checkClock,
  checkSchema,
  checkPostgres,
  checkSqlite,
  checkUrls,
  checkProxy,
  checkSystem,
  checkService,
];

const ORDER = { error: 0, warning: 1, info: 2 };

/** Returns all findings, the worst first. */
export function examine(facts: Facts): Finding[] {
  return CHECKS.flatMap((check) => Array.from(check(facts))).sort(
    (a, b) => ORDER[a.level] - ORDER[b.level],
  );
}
