import { join } from "node:path";
import { freePort } from "@markethook/protocol/testing";
import { reportAgain } from "../faults/load.ts";
import { sqlitePlace } from "../places.ts";
import type { RecordingReceiver } from "../recording-receiver.ts";
import type { Choices } from "../simulation/choices.ts";
import { startBalancer } from "./balancer.ts";
import type { CampaignLedger } from "./campaign-ledger.ts";
import { makeDiskErrors } from "./disk-errors.ts";
import { turnBackPostgres, turnBackSqlite } from "./earlier-schema.ts";
import {
  balancerFaults,
  clockFaults,
  type Faults,
  nameFaults,
  networkFaults,
  poolerFaults,
  postgresFaults,
  serviceFaults,
  sqliteFaults,
  upgradeFaults,
} from "./faults.ts";
import { Instances } from "./instances.ts";
import { startNetwork } from "./network.ts";
import { diskFolder, startOwnNameServer, useForTemporaryFiles } from "./namespace.ts";
import { startPair } from "./pair.ts";
import { startPooler } from "./pooler.ts";
import { makeWallClocks, type WallClock } from "./wall-clock.ts";

/** The service's instances, what they stand on, and all harm that can be done to them here. */
export interface World {
  instances: Instances;
  /** Where reports are taken. */
  addresses(): string[];
  /** Whether each name leads to the receiver. */
  hasNames: boolean;
  faults: Faults;
  remove(): Promise<void>;
}

export interface WorldOptions {
  store: "sqlite" | "postgres";
  ledger: CampaignLedger;
  receiver: RecordingReceiver;
  choices: Choices;
  /** What its events are about. */
  resourceId: string;
  apiKey: string;
  /** Of each instance. */
  env: Record<string, string>;
  print(line: string): void;
}

/** Several times as long as the load balancer takes to notice. */
const STOP_DELAY = "500ms";

export async function startWorld(options: WorldOptions): Promise<World> {
  const { store, print, receiver, choices } = options;
  const disk = diskFolder();
  const names = disk === null ? null : await startOwnNameServer(disk);
  if (typeof names === "string") print(`Without name servers that are away: ${names}.`);
  const hasNames = names !== null && typeof names !== "string";
  const clocks = makeWallClocks();
  if (typeof clocks === "string") print(`Without clocks that are set: ${clocks}.`);
  const makeClocks = (count: number): WallClock[] =>
    typeof clocks === "string" ? [] : Array.from({ length: count }, () => clocks.make());
  const start = store === "sqlite" ? startOnSqlite : startOnPostgres;
  const { instances, addresses, faults, remove } = await start(options, disk, makeClocks);
  return {
    instances,
    addresses,
    hasNames,
    faults: {
      ...serviceFaults(instances, choices),
      ...faults,
      ...(hasNames && nameFaults(names, receiver, choices)),
    },
    async remove() {
      await remove();
      if (hasNames) names.close();
      if (typeof clocks !== "string") clocks.remove();
    },
  };
}

type Part = Omit<World, "hasNames">;

async function startOnSqlite(
  { env, choices, ledger, resourceId, ...options }: WorldOptions,
  disk: string | null,
  makeClocks: (count: number) => WallClock[],
): Promise<Part> {
  const place = await sqlitePlace();
  const folder = disk ?? place.folder;
  const clocks = makeClocks(1);
  const made = makeDiskErrors();
  if (typeof made === "string") options.print(`Without writes and syncs that fail: ${made}.`);
  const errors = typeof made === "string" ? null : made;
  const libraries = [clocks[0], errors].flatMap((one) => one?.env["LD_PRELOAD"] ?? []);
  const instances = new Instances(1, () => ({
    ...env,
    ...clocks[0]?.env,
    ...errors?.env,
    ...(libraries.length > 0 && { LD_PRELOAD: libraries.join(":") }),
    MARKETHOOK_DATA_DIR: folder,
  }));
  const again = repeatAt(instances, { ledger, resourceId, ...options });
  const file = join(folder, "markethook.sqlite");
  return {
    instances,
    addresses: () => instances.addresses(),
    faults: {
      ...sqliteFaults(folder, { disk, errors }, choices),
      ...upgradeFaults(
        instances,
        ledger,
        (schema, keys) => turnBackSqlite(file, schema, resourceId, keys),
        again,
        choices,
      ),
      ...(clocks.length > 0 && clockFaults(clocks, null, choices)),
    },
    async remove() {
      await place.drop();
      errors?.remove();
    },
  };
}

async function startOnPostgres(
  { env, choices, ledger, resourceId, ...options }: WorldOptions,
  disk: string | null,
  makeClocks: (count: number) => WallClock[],
): Promise<Part> {
  if (disk !== null) useForTemporaryFiles(disk);
  const place = await sqlitePlace();
  const [databaseClock = null] = makeClocks(1);
  const pair = await startPair(databaseClock?.env ?? {});
  const networks = [await startNetwork(pair.ports), await startNetwork(pair.ports)];
  const clocks = makeClocks(networks.length);
  const pooler = await startPooler(await freePort(), () => {
    const index = pair.ports.indexOf(pair.primary().port);
    return networks[0]?.ports[index] ?? 0;
  });
  if (typeof pooler === "string") options.print(`Without a pooler: ${pooler}.`);
  const database = (no: number): Record<string, string> => {
    const url = pair.url(networks[no]?.ports ?? []);
    if (no > 0 || typeof pooler === "string") return { MARKETHOOK_DATABASE_URL: url };
    return { MARKETHOOK_DATABASE_URL: pooler.url, MARKETHOOK_DATABASE_DIRECT_URL: url };
  };
  const instances = new Instances(networks.length, (no) => ({
    ...env,
    ...place.env,
    ...clocks[no]?.env,
    MARKETHOOK_STOP_DELAY: STOP_DELAY,
    ...database(no),
  }));
  const again = repeatAt(instances, { ledger, resourceId, ...options });
  const balancer = await startBalancer(() => instances.addresses());
  return {
    instances,
    addresses: () => [balancer.address],
    faults: {
      ...balancerFaults(instances, balancer, ledger),
      ...networkFaults(networks, choices),
      ...(typeof pooler !== "string" && poolerFaults(pooler, choices)),
      ...postgresFaults(pair, disk, (time) => ledger.mayForget(time), choices),
      ...upgradeFaults(
        instances,
        ledger,
        (schema, keys) => turnBackPostgres(pair.primary().url, schema, resourceId, keys),
        again,
        choices,
      ),
      ...(clocks.length > 0 && clockFaults(clocks, databaseClock, choices)),
    },
    async remove() {
      await balancer.close();
      if (typeof pooler !== "string") pooler.close();
      await Promise.all(networks.map((network) => network.close()));
      await pair.remove();
      await place.drop();
    },
  };
}

/** Reports what these keys stand for once more. */
function repeatAt(
  instances: Instances,
  { ledger, apiKey, resourceId }: Pick<WorldOptions, "ledger" | "apiKey" | "resourceId">,
) {
  return async (keys: readonly string[]): Promise<void> => {
    const address = instances.addresses()[0] ?? "";
    await reportAgain(ledger, { address, apiKey, resourceId }, keys);
  };
}
