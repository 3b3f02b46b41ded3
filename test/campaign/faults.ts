import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { execute } from "@markethook/store/testing/postgres";
import type { RecordingReceiver } from "../recording-receiver.ts";
import type { Choices } from "../simulation/choices.ts";
import type { Balancer } from "./balancer.ts";
import type { CampaignLedger } from "./campaign-ledger.ts";
import type { DiskErrors } from "./disk-errors.ts";
import { EARLIER, type Earlier, type StandsFor } from "./earlier-schema.ts";
import type { Instances } from "./instances.ts";
import { type OwnNameServer, takeRoom } from "./namespace.ts";
import type { Network } from "./network.ts";
import { CONNECTIONS, type Pair, type Time } from "./pair.ts";
import type { Pooler } from "./pooler.ts";
import type { WallClock } from "./wall-clock.ts";

/** These come three times in a round: after them instance numbers and WAL positions may be used again. */
export const OFTEN = ["promotion of a synchronous standby", "promotion that loses commits"];

/** Does its harm, and resolves when that is over. */
type Fault = () => Promise<void>;
export type Faults = Readonly<Record<string, Fault>>;

const KEPT_KEYS = 50_000;
const REPEATED_KEYS = 100;
/** Longer than the lease, so that others take over. */
const BEYOND_LEASE_MS = 3000;

export function serviceFaults(instances: Instances, choices: Choices): Faults {
  const any = (): number => choices.int(instances.count);
  return {
    "kill of an instance": async () => {
      const victim = any();
      await instances.end(victim, "SIGKILL");
      if (choices.chance(0.5)) await pause(choices.whole(100, BEYOND_LEASE_MS));
      await instances.start(victim);
    },
    "three kills in a row": async () => {
      const victim = any();
      for (let kill = 0; kill < 3; kill += 1) {
        await instances.end(victim, "SIGKILL");
        await instances.start(victim);
        await pause(choices.whole(50, 500));
      }
    },
    "kill of all instances": async () => {
      await Promise.all(instances.all.map((no) => instances.end(no, "SIGKILL")));
      await Promise.all(instances.all.map((no) => instances.start(no)));
    },
    "orderly restart": async () => {
      const victim = any();
      await instances.end(victim, "SIGTERM");
      await instances.start(victim);
    },
    "rolling restart": async () => {
      for (const no of instances.all) {
        await instances.end(no, "SIGTERM");
        await instances.start(no);
      }
    },
    "stop beyond the lease": async () => {
      const victim = any();
      instances.signal(victim, "SIGSTOP");
      await pause(choices.whole(BEYOND_LEASE_MS, 2 * BEYOND_LEASE_MS));
      instances.signal(victim, "SIGCONT");
    },
    "short stop": async () => {
      const victim = any();
      instances.signal(victim, "SIGSTOP");
      await pause(choices.whole(50, 1000));
      instances.signal(victim, "SIGCONT");
    },
  };
}

/** In production clients reach instances through one of these, and a restart is no reason for an error. */
export function balancerFaults(
  instances: Instances,
  balancer: Balancer,
  ledger: CampaignLedger,
): Faults {
  const allReady = async (): Promise<void> => {
    const isReady = (address: string): boolean => balancer.ready().includes(address);
    while (!instances.addresses().every(isReady)) await pause(20);
  };
  return {
    "rolling restart behind a load balancer": async () => {
      await allReady();
      const failures = balancer.failures();
      for (const no of instances.all) {
        await instances.end(no, "SIGTERM");
        await instances.start(no);
        await allReady();
      }
      ledger.violations.push(...failures().map((text) => `during a rolling restart: ${text}`));
    },
  };
}

/**
 * @param turnBack makes the database one of an earlier schema, with these keys
 * @param reportAgain what was reported under these keys
 */
export function upgradeFaults(
  instances: Instances,
  ledger: CampaignLedger,
  turnBack: (schema: Earlier, keys: readonly StandsFor[]) => void | Promise<void>,
  reportAgain: (keys: readonly string[]) => Promise<void>,
  choices: Choices,
): Faults {
  return {
    "upgrade with kills": async () => {
      await Promise.all(instances.all.map((no) => instances.end(no, "SIGTERM")));
      const keys = ledger.lastKeys(KEPT_KEYS);
      await turnBack(choices.pick(EARLIER), keys);
      for (let kill = 0; kill < 3; kill += 1) {
        await Promise.all(
          instances.all.map((no) => instances.startInVain(no, choices.whole(100, 900))),
        );
      }
      await Promise.all(instances.all.map((no) => instances.start(no)));
      await reportAgain(keys.slice(-REPEATED_KEYS).map(({ key }) => key));
    },
  };
}

/** @param database its clock; null: it has none of its own */
export function clockFaults(
  own: readonly WallClock[],
  database: WallClock | null,
  choices: Choices,
): Faults {
  return {
    // Receivers refuse what is five minutes old or ahead.
    "clock of an instance set and set back": async () => {
      const clock = own[choices.int(own.length)];
      clock?.set(choices.whole(-240, 240) * 1000);
      await pause(choices.whole(1000, 5000));
      clock?.set(0);
    },
    ...(database !== null && {
      // By ten minutes or more, a webhook that fails at that moment seems to have failed for so long, and starts slowly.
      "clock of the database set ahead": async () => {
        database.set(database.byMs + choices.whole(1, 100) * 1000);
        await pause(1000);
      },
      // What waits until a time waits for so much longer.
      "clock of the database set back": async () => {
        database.set(database.byMs - choices.whole(1, 4) * 1000);
        await pause(1000);
      },
    }),
  };
}

export function nameFaults(
  names: OwnNameServer,
  receiver: Pick<RecordingReceiver, "endConnections">,
  choices: Choices,
): Faults {
  return {
    // A connection that is kept needs no name.
    "name server away": async () => {
      const comeBack = names.goAway();
      for (let seconds = choices.whole(4, 20); seconds > 0; seconds -= 1) {
        receiver.endConnections();
        await pause(1000);
      }
      comeBack();
    },
  };
}

export function sqliteFaults(
  folder: string,
  { disk, errors }: { disk: string | null; errors: DiskErrors | null },
  choices: Choices,
): Faults {
  return {
    ...(errors !== null && {
      "writes and syncs fail": async () => {
        errors.set("failing");
        await pause(choices.whole(100, 5000));
        errors.set("sound");
      },
      "frozen file system": async () => {
        errors.set("frozen");
        await pause(choices.whole(500, 6000));
        errors.set("sound");
      },
    }),
    "lock of an outsider": async () => {
      const outsider = new DatabaseSync(join(folder, "markethook.sqlite"), { timeout: 5000 });
      outsider.exec("begin immediate");
      await pause(choices.whole(500, 6000));
      outsider.exec("rollback");
      outsider.close();
    },
    ...(disk !== null && { "full disk": () => fullDisk(disk, choices) }),
  };
}

async function fullDisk(disk: string, choices: Choices): Promise<void> {
  const giveRoom = takeRoom(disk);
  await pause(choices.whole(1000, 5000));
  giveRoom();
}

export function networkFaults(networks: readonly Network[], choices: Choices): Faults {
  const cutOne = async (silent: boolean): Promise<void> => {
    const network = networks[choices.int(networks.length)];
    network?.cut(silent);
    await pause(choices.whole(500, 3 * BEYOND_LEASE_MS));
    network?.restore();
  };
  return {
    "one instance cut off in silence": () => cutOne(true),
    "one instance cut off by resets": () => cutOne(false),
  };
}

export function poolerFaults(pooler: Pooler, choices: Choices): Faults {
  return {
    "killed pooler": () => pooler.killFor(choices.whole(0, 2000)),
    "frozen pooler": async () => {
      pooler.signal("SIGSTOP");
      await pause(choices.whole(500, 6000));
      pooler.signal("SIGCONT");
    },
  };
}

export function postgresFaults(
  pair: Pair,
  disk: string | null,
  forget: (time: Time) => void,
  choices: Choices,
): Faults {
  const restart = async (signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void> => {
    const server = pair.primary();
    await server.stop(signal);
    await server.start();
  };
  return {
    "backends terminated": async () => {
      await execute(
        pair.primary().url,
        "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      );
    },
    "connections used up": async () => {
      const { url } = pair.primary();
      const endAt = performance.now() + choices.whole(2000, 6000);
      const holders: Promise<unknown>[] = [];
      const hold = (count: number): void => {
        const seconds = Math.max(0.1, (endAt - performance.now()) / 1000);
        for (let i = 0; i < count; i += 1) {
          // One that finds no place is refused.
          const held = execute(url, `select pg_sleep(${seconds})`).catch(() => undefined);
          holders.push(held);
        }
      };
      // What the service has open ends too, when all other places are taken.
      const service = "backend_type = 'client backend' and application_name like 'markethook%'";
      const end = `select pg_sleep(1); select pg_terminate_backend(pid) from pg_stat_activity where ${service}`;
      const ended = execute(url, end);
      hold(CONNECTIONS);
      await ended;
      while (performance.now() < endAt) {
        await pause(100);
        hold(CONNECTIONS / 10);
      }
      await Promise.all(holders);
    },
    "statements time out": async () => {
      // Not for those who set it.
      const url = `${pair.primary().url}?options=-c%20statement_timeout%3D0`;
      const ms = choices.whole(1, 5);
      await execute(url, `alter system set statement_timeout = ${ms}`);
      await execute(url, "select pg_reload_conf()");
      await pause(choices.whole(500, 5000));
      await execute(url, "alter system reset statement_timeout");
      await execute(url, "select pg_reload_conf()");
    },
    "long transaction": async () => {
      const seconds = choices.whole(3, 10);
      await execute(
        pair.primary().url,
        `begin isolation level repeatable read; select count(*) from events; select pg_sleep(${seconds}); commit`,
      );
    },
    "frozen server": async () => {
      const server = pair.primary();
      server.freeze();
      await pause(choices.whole(500, 6000));
      server.thaw();
    },
    "fast restart": () => restart("SIGINT"),
    "immediate restart": () => restart("SIGQUIT"),
    "killed server": () => restart("SIGKILL"),
    ...(disk !== null && {
      "full disk": async () => {
        await fullDisk(disk, choices);
        await pair.startAgain();
      },
    }),
    "promotion of a synchronous standby": () => pair.promote(),
    "promotion that loses commits": async () => {
      forget(await pair.promoteWithout(choices.whole(100, 1500)));
    },
  };
}
