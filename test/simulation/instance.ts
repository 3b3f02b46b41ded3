import {
  createDispatcher,
  DEFAULT_SETTINGS,
  type Dispatcher,
  parseAllowList,
} from "@markethook/dispatcher";
import { SILENT } from "../../packages/dispatcher/src/wiring/testing/recorder.ts";
import type { Backend } from "./backend.ts";
import type { Choices } from "./choices.ts";
import type { Database } from "./database.ts";
import type { Hints } from "./hints.ts";
import { instanceStore } from "./instance-store.ts";
import { Machine } from "./machine.ts";
import type { Incarnation, Oracles } from "./oracles.ts";
import type { Shape } from "./plan.ts";
import type { Receivers } from "./receivers.ts";
import { simulatedSender } from "./simulated-sender.ts";
import type { Timeline } from "./timeline.ts";

export const BASE_URL = "https://market.example";
/** Short, so that a run sees all of it. */
export const SCHEDULE = [2000, 5000, 12_000, 25_000, 40_000, 60_000];
/** When simulated time begins. */
export const EPOCH = 1_700_000_000_000;

const AGAIN_MS = 1000;
const ATTEMPT_TIMEOUT_MS = 15_000;

export interface World {
  timeline: Timeline;
  database: Database;
  hints: Hints;
  backend: Backend;
  receivers: Receivers;
  oracles: Oracles;
  shape: Shape;
  /** Addresses that answered well, by host. */
  confirmed: Map<string, string>;
}

/** A process, from its start to its end. */
export interface Instance {
  machine: Machine;
  incarnation: Incarnation;
  /** Null until it has started, and while it stops. */
  dispatcher: Dispatcher | null;
  /** The same, also while it stops. */
  running: Dispatcher | null;
}

export function startInstance(
  world: World,
  { name, rate, random }: { name: string; rate: number; random: Choices },
): Instance {
  const { timeline, database, receivers, oracles, shape } = world;
  const machine = new Machine(name, rate);
  const instance: Instance = {
    machine,
    incarnation: {
      machine,
      instanceNos: new Set(),
      statistics: () => instance.running?.statistics() ?? { open: 0, unsettled: 0 },
    },
    dispatcher: null,
    running: null,
  };
  const { incarnation } = instance;
  oracles.incarnations.set(machine, incarnation);
  const settings = {
    ...DEFAULT_SETTINGS,
    instanceName: name,
    version: "1",
    serviceName: "Service",
    userAgent: "Markethook/simulation",
    publicUrl: "https://market.example",
    baseUrl: BASE_URL,
    schedule: SCHEDULE,
    concurrency: shape.concurrency,
    slowStart: shape.slowStart,
    ...(shape.chatLimits === null ? {} : { chatLimits: shape.chatLimits }),
    queueBytes: shape.queueBytes,
    hostConcurrency: shape.hostConcurrency,
    addressConcurrency: shape.addressConcurrency,
  };
  const start = async (): Promise<void> => {
    const dispatcher = await createDispatcher({
      store: instanceStore(world, shape.exclusive, {
        listens: (listener) => world.hints.listen(machine, listener),
        tells: (hint) => world.hints.tell(machine, hint),
        chatBegan: (eventSeq) => oracles.chatBegan(machine, eventSeq),
        instanceStarted: (instanceNo) => void incarnation.instanceNos.add(instanceNo),
        refusedAfterItsEnd: (seqs) => oracles.notStored(seqs),
      }),
      sender: simulatedSender({
        timeline,
        machine,
        random,
        receivers,
        backend: world.backend,
        oracles,
        timeoutMs: ATTEMPT_TIMEOUT_MS,
      }),
      settings,
      ...(shape.gated ? { places: gates(receivers) } : {}),
      observer: {
        ...SILENT,
        instanceLost(instanceNo, why) {
          database.trace(`${machine.name} lost ${instanceNo}: ${why}`);
          const { open, unsettled } = incarnation.statistics();
          oracles.mayRepeat(open + unsettled);
        },
        fault: (where, error) => oracles.faulted(machine, where, error),
      },
      now: () => machine.monotonic(timeline.now),
      wallNow: () => machine.wall(timeline.now, EPOCH),
      random: () => random.between(0, 1),
      randomBytes: (length) => random.bytes(length),
    });
    instance.running = dispatcher;
    await dispatcher.start();
    instance.dispatcher = dispatcher;
  };
  // Anyone who watches over processes starts one again that could not start.
  const tryToStart = (): void => {
    start().catch((error: unknown) => {
      oracles.faulted(machine, "start", error);
      timeline.after(AGAIN_MS, machine, tryToStart);
    });
  };
  timeline.after(0, machine, tryToStart);
  return instance;
}

/** Names lead to the addresses of the plan; none of them is the operator's own. */
function gates(receivers: Receivers) {
  const resolve = (host: string): string[] => {
    const address = receivers.addressOf(host);
    return address === null ? [] : [address];
  };
  return {
    resolver: { known: resolve, resolve: (host: string) => Promise.resolve(resolve(host)) },
    allow: parseAllowList(""),
  };
}
