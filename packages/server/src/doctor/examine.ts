import { checkClock, checkSchema, checkSqlite } from "./check-database.ts";
import { checkDisk, checkFiles } from "./check-files.ts";
import { checkGuard, checkSettings } from "./check-settings.ts";
import { checkKeys } from "./check-keys.ts";
import { checkPostgres } from "./check-postgres.ts";
import { checkProxy, checkUrls } from "./check-urls.ts";
import { checkService, checkSystem } from "./check-service.ts";
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
