import type { PostgresInspection } from "@markethook/store";
import { ELSEWHERE } from "../database.ts";
import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

const OLDEST = 140_000;
/** A busy service writes some hundred MiB in a minute. */
const ENOUGH_WAL_MIB = 4096;

/** Connections of an instance while it starts. */
const CONNECTIONS_EACH = 15;
/** Settings under which a commit has not reached a standby's disk. */
const NOT_AWAITED = new Set(["off", "local", "remote_write"]);

/** Checks PostgreSQL's settings, and poolers in between. */
export function checkPostgres(facts: Facts): Finding[] {
  const { database, config } = facts;
  if (database.kind !== "postgres") return [];
  const found = checkPooler(database);
  if (database.inspection === null) {
    return [
      finding("database_unreachable", `${database.name}: ${database.fault ?? "no answer"}`),
      ...found,
    ];
  }
  return [
    ...found,
    ...checkServer(database.inspection),
    ...checkStandbys(database.inspection, config.expectStandbys),
    ...checkEncryption(database.inspection, database),
  ];
}

type Postgres = Extract<Facts["database"], { kind: "postgres" }>;

function checkPooler({ inspection, direct, directLeads, name }: Postgres): Finding[] {
  if (direct === null) {
    if (inspection?.pooled !== true) return [];
    return [
      finding("pooler_in_the_way", `A pooler stands before ${name}, and no way past it is set.`),
    ];
  }
  if ("fault" in direct) {
    return [finding("database_unreachable", `MARKETHOOK_DATABASE_DIRECT_URL: ${direct.fault}`)];
  }
  if (directLeads !== null && directLeads !== "same")
    return [finding("direct_url_elsewhere", ELSEWHERE[directLeads])];
  if (!direct.pooled) return [];
  return [
    finding(
      "pooler_in_the_way",
      "MARKETHOOK_DATABASE_DIRECT_URL leads to a pooler too, not to the server.",
    ),
  ];
}

function checkServer(inspection: PostgresInspection): Finding[] {
  const found: Finding[] = [];
  const { serverVersion, connections, instances } = inspection;
  if (serverVersion < OLDEST) {
    found.push(
      finding(
        "postgres_too_old",
        `The server is PostgreSQL ${Math.floor(serverVersion / 10_000)}.`,
      ),
    );
  }
  if (inspection.encoding !== "UTF8") {
    found.push(finding("postgres_encoding", `The database's encoding is ${inspection.encoding}.`));
  }
  if (!inspection.fsync) found.push(finding("postgres_fsync_off", "fsync is off."));
  if (!inspection.fullPageWrites) {
    found.push(finding("postgres_full_page_writes_off", "full_page_writes is off."));
  }
  if (!inspection.walCompression) {
    found.push(finding("wal_uncompressed", "wal_compression is off."));
  }
  if (inspection.maxWalMib < ENOUGH_WAL_MIB) {
    found.push(finding("checkpoints_often", `max_wal_size is ${inspection.maxWalMib} MiB.`));
  }
  if (inspection.synchronousCommit === "off") {
    found.push(finding("commits_not_durable", "synchronous_commit is off."));
  }
  if (inspection.lackingRights !== null) {
    found.push(finding("database_rights_missing", inspection.lackingRights));
  }
  if (inspection.readOnly) {
    found.push(
      finding(
        "database_read_only",
        "The server takes no writes: it is a standby, or set to read only.",
      ),
    );
  }
  const needed = Math.max(1, instances.length) * CONNECTIONS_EACH;
  if (connections < needed) {
    found.push(
      finding(
        "connections_few",
        `This user may have ${connections} connections; ${Math.max(1, instances.length)} instances need ${needed}.`,
      ),
    );
  }
  return found;
}

function checkStandbys(inspection: PostgresInspection, expected: number): Finding[] {
  const { standbys, synchronousStandbyNames, synchronousCommit } = inspection;
  const named = synchronousStandbyNames !== "";
  if (expected === 0 && !named) return [];
  const wanted = Math.max(expected, 1);
  const found: Finding[] = [];
  if (NOT_AWAITED.has(synchronousCommit) && synchronousCommit !== "off") {
    found.push(finding("standby_not_awaited", `synchronous_commit is ${synchronousCommit}.`));
  }
  if (!named) {
    return [
      ...found,
      finding(
        "standby_missing",
        `${wanted} synchronous standbys are expected; synchronous_standby_names is empty.`,
      ),
    ];
  }
  const together = standbys.filter((state) => state === "sync" || state === "quorum").length;
  const unseen = standbys.filter((state) => state === null).length;
  if (together >= wanted) return found;
  if (together + unseen >= wanted) {
    return [
      ...found,
      finding("standby_unseen", "This user may not see whether the standbys are synchronous."),
    ];
  }
  return [
    ...found,
    finding(
      "standby_missing",
      `${wanted} synchronous standbys are expected; ${together} are connected.`,
    ),
  ];
}

function checkEncryption({ encrypted }: PostgresInspection, { local, name }: Postgres): Finding[] {
  if (encrypted || local) return [];
  return [finding("database_unencrypted", `The connection to ${name} is not encrypted.`)];
}
