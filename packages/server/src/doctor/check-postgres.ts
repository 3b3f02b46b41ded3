import type { PostgresInspection } from "@markethook/store";
import { ELSEWHERE } from "../database.ts";
import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

const OLDEST = 140_000;
/** A busy service writes some hundred MiB in a minute. */
const ENOUGH_WAL_MIB = 4096;

/** The service's own transactions take milliseconds, and its inspections seconds. */
const LONG_SNAPSHOT_S = 300;

/** Far above what a network within a data centre takes. */
const SLOW_REPLY_MS = 100;

/** Connections of an instance while it starts. */
const CONNECTIONS_EACH = 15;
/** Settings under which a commit has not reached a standby's disk. */
const NOT_AWAITED = new Set(["local", "remote_write"]);

/** Checks PostgreSQL's settings, and poolers in between. */
export function* checkPostgres({ database, config }: Facts): Iterable<Finding> {
  if (database.kind !== "postgres") return;
  const { inspection, fault, name } = database;
  if (inspection === null) {
    yield finding("database_unreachable", `${name}: ${fault ?? "no answer"}`);
  }
  yield* checkPooler(database);
  if (inspection === null) return;
  yield* checkServer(inspection);
  yield* checkStandbys(inspection, config.expectStandbys);
  if (!inspection.encrypted && !database.local) {
    yield finding("database_unencrypted", `The connection to ${name} is not encrypted.`);
  }
}

type Postgres = Extract<Facts["database"], { kind: "postgres" }>;

function* checkPooler({ inspection, direct, directLeads, name }: Postgres): Iterable<Finding> {
  if (direct === null) {
    if (inspection?.pooled === true) {
      yield finding(
        "pooler_in_the_way",
        `A pooler stands before ${name}, and no way past it is set.`,
      );
    }
  } else if ("fault" in direct) {
    yield finding("database_unreachable", `MARKETHOOK_DATABASE_DIRECT_URL: ${direct.fault}`);
  } else if (directLeads !== null && directLeads !== "same") {
    yield finding("direct_url_elsewhere", ELSEWHERE[directLeads]);
  } else if (direct.pooled) {
    yield finding(
      "pooler_in_the_way",
      "MARKETHOOK_DATABASE_DIRECT_URL leads to a pooler too, not to the server.",
    );
  }
}

function* checkServer(inspection: PostgresInspection): Iterable<Finding> {
  const { serverVersion, connections, instances } = inspection;
  if (serverVersion < OLDEST) {
    yield finding(
      "postgres_too_old",
      `The server is PostgreSQL ${Math.floor(serverVersion / 10_000)}.`,
    );
  }
  if (inspection.elsewhere !== null) {
    yield finding(
      "tables_elsewhere",
      `The service's tables are in the schema ${inspection.elsewhere}, which is not on the search path.`,
    );
  }
  if (inspection.encoding !== "UTF8") {
    yield finding("postgres_encoding", `The database's encoding is ${inspection.encoding}.`);
  }
  if (!inspection.fsync) yield finding("postgres_fsync_off", "fsync is off.");
  if (!inspection.fullPageWrites) {
    yield finding("postgres_full_page_writes_off", "full_page_writes is off.");
  }
  if (!inspection.walCompression) yield finding("wal_uncompressed", "wal_compression is off.");
  if (inspection.maxWalMib < ENOUGH_WAL_MIB) {
    yield finding("checkpoints_often", `max_wal_size is ${inspection.maxWalMib} MiB.`);
  }
  const { oldestSnapshot } = inspection;
  if (oldestSnapshot !== null && oldestSnapshot.seconds >= LONG_SNAPSHOT_S) {
    const { application, pid, seconds } = oldestSnapshot;
    const who = application === "" ? "a session" : application;
    yield finding(
      "long_transaction",
      `A transaction of ${who} (process ${pid}) has been open for ${Math.floor(seconds / 60)} minutes.`,
    );
  }
  if (inspection.invalidIndexes.length > 0) {
    const names = inspection.invalidIndexes.join(", ");
    yield finding("index_invalid", `PostgreSQL keeps and does not use: ${names}.`);
  }
  if (inspection.synchronousCommit === "off") {
    yield finding("commits_not_durable", "synchronous_commit is off.");
  }
  if (inspection.lackingRights !== null) {
    yield finding("database_rights_missing", inspection.lackingRights);
  }
  if (inspection.readOnly) {
    yield finding(
      "database_read_only",
      "The server takes no writes: it is a standby, or set to read only.",
    );
  }
  if (inspection.replyMs >= SLOW_REPLY_MS) {
    yield finding(
      "database_slow",
      `The server takes ${Math.round(inspection.replyMs)} ms to reply to a statement that does nothing.`,
    );
  }
  const needed = Math.max(1, instances.length) * CONNECTIONS_EACH;
  if (connections < needed) {
    yield finding(
      "connections_few",
      `This user may have ${connections} connections; ${Math.max(1, instances.length)} instances need ${needed}.`,
    );
  }
}

function* checkStandbys(inspection: PostgresInspection, expected: number): Iterable<Finding> {
  const { standbys, synchronousStandbyNames, synchronousCommit } = inspection;
  const named = synchronousStandbyNames !== "";
  if (expected === 0 && !named) return;
  const wanted = Math.max(expected, 1);
  if (NOT_AWAITED.has(synchronousCommit)) {
    yield finding("standby_not_awaited", `synchronous_commit is ${synchronousCommit}.`);
  }
  const together = standbys.filter((state) => state === "sync" || state === "quorum").length;
  const unseen = standbys.filter((state) => state === null).length;
  const missing = `${wanted} synchronous standbys are expected;`;
  if (!named) yield finding("standby_missing", `${missing} synchronous_standby_names is empty.`);
  else if (together >= wanted) return;
  else if (together + unseen >= wanted) {
    yield finding("standby_unseen", "This user may not see whether the standbys are synchronous.");
  } else yield finding("standby_missing", `${missing} ${together} are connected.`);
}
