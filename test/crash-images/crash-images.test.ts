import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { eventId } from "@markethook/protocol";
import { startLoad } from "../faults/load.ts";
import { besideSqlite } from "../faults/stores.ts";
import { Ledger } from "../ledger.ts";
import { setUpMarketplace } from "../marketplace.ts";
import { sqlitePlace } from "../places.ts";
import { type RecordingReceiver, startRecordingReceiver } from "../recording-receiver.ts";
import { apiKey, startServiceProcess } from "../service-process.ts";
import { type Choices, choicesFor } from "../simulation/choices.ts";
import { size } from "../size.ts";
import { CrashedDisk, FATES } from "./crashed-disk.ts";
import { compileRecorder, type DiskRecord, readRecords, recorded } from "./recording.ts";

const EVENTS = size(500, 4000);
const IMAGES = size(20, 100);
const STARTED_ON = size(1, 3);
/** Only so many events fill SQLite's write-ahead log until it is copied into the database. */
const HAS_CHECKPOINTS = size(false, true);
const WEBHOOKS = 3;
const NAME = "markethook.sqlite";

/** Knows how long the log of records was when each event had been accepted. */
class DiskLedger extends Ledger {
  readonly acceptedBy: { eventId: string; logBytes: number }[] = [];
  readonly #log: string;

  constructor(log: string) {
    super();
    this.#log = log;
  }

  override accept(key: string, id: string): void {
    super.accept(key, id);
    this.acceptedBy.push({ eventId: id, logBytes: statSync(this.#log).size });
  }
}

interface Recording {
  /** The service's folder. */
  folder: string;
  env: Record<string, string>;
  records: DiskRecord[];
  acceptedBy: DiskLedger["acceptedBy"];
}

const seed = Date.now() % 1_000_000_000;
let choices: Choices;
let place: Awaited<ReturnType<typeof sqlitePlace>>;
let receiver: RecordingReceiver | null = null;
let recording: Recording | { reason: string };

before(async () => {
  choices = choicesFor(seed, "crash images");
  place = await sqlitePlace();
  recording = await record();
});
after(async () => {
  await receiver?.close();
  await place.drop();
});

/** The service under load, from an empty folder until it is killed. */
async function record(): Promise<Recording | { reason: string }> {
  const compiled = compileRecorder(place.folder);
  if ("reason" in compiled) return compiled;
  const folder = join(place.folder, "data");
  mkdirSync(folder);
  const log = join(place.folder, "records");
  const ledger = new DiskLedger(log);
  const secrets: string[] = [];
  receiver = await startRecordingReceiver(
    ledger,
    () => secrets,
    () => 1,
  );
  const env = {
    MARKETHOOK_DATA_DIR: folder,
    MARKETHOOK_RETRY_SCHEDULE: "50ms,200ms,400ms,800ms,1s,1s,1s,1s,1s,1s",
  };
  const service = await startServiceProcess({
    ...env,
    ...recorded(compiled.library, join(folder, NAME), log),
  });
  const urls = Array.from({ length: WEBHOOKS }, (_, index) => `${receiver?.url}hook${index}`);
  const marketplace = await setUpMarketplace(service.address, apiKey, "plugin", urls);
  secrets.push(...marketplace.secrets);
  const load = startLoad({
    ledger,
    resourceId: "plugin",
    webhooks: WEBHOOKS,
    apiKey,
    addresses: () => [service.address],
    underWay: 60,
    batch: 3,
    clients: 2,
  });
  while (ledger.accepted.size < EVENTS) await pause(20);
  await service.kill();
  load.abort();
  return { folder, env, records: readRecords(log), acceptedBy: ledger.acceptedBy };
}

function recordingOf(t: TestContext): Recording | null {
  if ("records" in recording) return recording;
  t.skip(recording.reason);
  return null;
}

/** Accepted before the log had this length, and not in the database that is found in the folder. */
function missing({ acceptedBy }: Recording, logBytes: number, folder: string): string[] {
  const promised = acceptedBy.filter((one) => one.logBytes <= logBytes);
  const db = new DatabaseSync(join(folder, NAME));
  try {
    const [integrity] = db.prepare("pragma integrity_check").all();
    assert.deepEqual({ ...integrity }, { integrity_check: "ok" });
    if (promised.length === 0) return [];
    const rows = db
      .prepare(
        `select e.seq, e.tag, d.count from events e left join (
           select event_seq, count(*) as count from (
             select event_seq from leased union all select event_seq from pending
             union all select event_seq from ended) group by event_seq) d on d.event_seq = e.seq`,
      )
      .all();
    const stored = new Map(
      rows.map((row) => [eventId({ seq: Number(row["seq"]), tag: String(row["tag"]) }), row]),
    );
    for (const [id, { count }] of stored) {
      assert.equal(Number(count), WEBHOOKS, `${id} has ${String(count)} deliveries`);
    }
    return promised.map((one) => one.eventId).filter((id) => !stored.has(id));
  } finally {
    db.close();
  }
}

/** After which records the power goes: so many of them, as chance has it. */
function moments(records: readonly DiskRecord[], count: number): Set<number> {
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, records.length)) chosen.add(choices.int(records.length));
  return chosen;
}

test(`${IMAGES} times the power goes: nothing that was accepted is missing, and the file is sound`, (t) => {
  const run = recordingOf(t);
  if (run === null) return;
  const { records, acceptedBy } = run;
  const disk = new CrashedDisk(choices);
  const cuts = moments(records, IMAGES);
  const folder = join(place.folder, "image");
  let promised = 0;
  for (const [index, entry] of records.entries()) {
    disk.play(entry);
    if (!cuts.has(index)) continue;
    const fate = choices.pick(FATES);
    mkdirSync(folder);
    disk.writeTo(folder, fate);
    const at = `seed ${seed}, after record ${index} of ${records.length}, unsynced ${fate}`;
    assert.deepEqual(missing(run, entry.end, folder), [], at);
    promised += acceptedBy.filter(({ logBytes }) => logBytes <= entry.end).length;
    rmSync(folder, { recursive: true });
  }
  const main = records.find((one) => one.kind === "named" && one.name === NAME);
  const wal = records.findLastIndex((one) => one.kind === "named" && one.name === `${NAME}-wal`);
  const checkpointed = records
    .slice(wal)
    .some((one) => one.kind === "written" && main?.kind === "named" && one.file === main.file);
  assert.ok(checkpointed || !HAS_CHECKPOINTS, "the write-ahead log was never copied back");
  assert.ok(promised > IMAGES, `only ${promised} events were looked for`);
  t.diagnostic(
    `${records.length} records, ${checkpointed ? "with" : "without"} checkpoints, ${promised} events looked for`,
  );
});

test("a disk that only says it has synced is found out: accepted events are missing", (t) => {
  const run = recordingOf(t);
  if (run === null) return;
  const { records } = run;
  const disk = new CrashedDisk(choices);
  for (const [index, entry] of records.entries()) {
    disk.isHonest = index < records.length / 2;
    disk.play(entry);
  }
  const folder = join(place.folder, "image");
  mkdirSync(folder);
  disk.writeTo(folder, "lost");
  assert.notDeepEqual(missing(run, records.at(-1)?.end ?? 0, folder), []);
  rmSync(folder, { recursive: true });
});

test(`the service starts on what is left, ${STARTED_ON} times, and ends all of it`, async (t) => {
  const run = recordingOf(t);
  if (run === null) return;
  const { records, folder, env } = run;
  const disk = new CrashedDisk(choices);
  const cuts = moments(records, STARTED_ON);
  for (const [index, entry] of records.entries()) {
    disk.play(entry);
    if (!cuts.has(index)) continue;
    const image = join(place.folder, "image");
    cpSync(folder, image, { recursive: true, filter: (path) => !path.includes(NAME) });
    disk.writeTo(image, "torn");
    const service = await startServiceProcess({ ...env, MARKETHOOK_DATA_DIR: image });
    try {
      const beside = besideSqlite(image);
      while ((await beside.unended()).size > 0) await pause(20);
      assert.equal((await beside.endedDead()).size, 0, `seed ${seed}, after record ${index}`);
    } finally {
      await service.kill();
    }
    assert.deepEqual(missing(run, entry.end, image), []);
    rmSync(image, { recursive: true });
  }
});
