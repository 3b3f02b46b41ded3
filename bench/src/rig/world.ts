import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, removeUnderEnding } from "@markethook/store/testing";
import { createAuthority } from "../../../packages/dispatcher/src/send/testing/certificate.ts";
import { receiverAddress } from "./addresses.ts";
import type { BareLoopCalls } from "./bare-loop.ts";
import { type Child, startChild } from "./calls.ts";
import { startDurablePostgres } from "./durable-postgres.ts";
import type { LoadCalls } from "./load.ts";
import type { ReceiverCalls } from "./receiver.ts";
import { SECRET } from "./service.ts";
import { leaveWal, putWalInUse } from "./wal-in-use.ts";

/** What all cases share: the receivers, the load, and a PostgreSQL that flushes to disk. */
export interface World {
  receiver: Child<ReceiverCalls>;
  load: Child<LoadCalls>;
  bareLoop: Child<BareLoopCalls>;
  postgres: PostgresServer;
  /** Of all receivers. */
  port: number;
  /** Of the same receivers with https. */
  httpsPort: number;
  /** The certificate authority that they are to be checked by: PEM, and a file of it. */
  authority: { cert: string; file: string };
  addresses: number;
  /** One more port with https at each address. */
  listenSecurely(): Promise<number>;
  /** Different at each call, for idempotency keys. */
  nextRun(): number;
  stop(): Promise<void>;
}

const ADDRESSES = 100;

export async function startWorld(): Promise<World> {
  const folder = useOwnFolder();
  const postgres = await startDurablePostgres();
  await putWalInUse(postgres.url);
  const receiver = startChild<ReceiverCalls>("./receiver.ts");
  const load = startChild<LoadCalls>("./load.ts");
  const bareLoop = startChild<BareLoopCalls>("./bare-loop.ts");
  const port = await receiver.call("listen", { addresses: ADDRESSES });
  const authority = createAuthority("Benchmark");
  const names = Array.from({ length: ADDRESSES }, (_, index) => receiverAddress(index));
  const certificate = authority.issue({ names });
  const listenSecurely = async (): Promise<number> =>
    await receiver.call("listen", { addresses: ADDRESSES, certificate });
  const httpsPort = await listenSecurely();
  const file = join(folder, "authority.pem");
  writeFileSync(file, authority.cert);
  await receiver.call("useSecret", SECRET);
  let run = 0;
  return {
    receiver,
    load,
    bareLoop,
    postgres,
    port,
    httpsPort,
    authority: { cert: authority.cert, file },
    addresses: ADDRESSES,
    listenSecurely,
    nextRun: () => (run += 1),
    async stop() {
      await Promise.all([receiver.stop(), load.stop(), bareLoop.stop()]);
      await leaveWal(postgres.url);
      await postgres.stop();
    },
  };
}

/** All temporary files of a run, gigabytes of them, are in one folder. It goes with the run, whatever ends that. */
function useOwnFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "markethook-bench-"));
  // PostgreSQL runs as nobody where we are root.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  process.once("exit", () => removeUnderEnding(folder));
  return folder;
}
