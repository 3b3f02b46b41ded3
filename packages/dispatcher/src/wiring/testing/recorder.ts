import type { Observer } from "../observer.ts";

type Milestones = { [Name in keyof Observer]: Parameters<Observer[Name]> };
type First<Name extends keyof Observer> = Milestones[Name][0];

/** An observer that remembers everything and can be waited on. */
export interface Recorder extends Observer {
  /** First arguments of all calls so far, in order. */
  of<Name extends keyof Observer>(name: Name): First<Name>[];
  /** Resolves once `count` calls satisfy `matches`, those of the past included. */
  seen<Name extends keyof Observer>(
    name: Name,
    count?: number,
    matches?: (value: First<Name>) => boolean,
  ): Promise<void>;
}

export function createRecorder(): Recorder {
  const calls: { name: keyof Observer; args: unknown[] }[] = [];
  let waiters: { done: () => boolean; resolve: () => void }[] = [];
  const record =
    <Name extends keyof Observer>(name: Name) =>
    (...args: Milestones[Name]): void => {
      calls.push({ name, args });
      for (const waiter of waiters) if (waiter.done()) waiter.resolve();
      waiters = waiters.filter((waiter) => !waiter.done());
    };
  // The name says what the arguments are; the list of all calls cannot.
  const of = <Name extends keyof Observer>(name: Name): First<Name>[] =>
    calls.filter((call) => call.name === name).map((call) => call.args[0] as First<Name>);
  return {
    accepted: record("accepted"),
    claimed: record("claimed"),
    attempt: record("attempt"),
    settled: record("settled"),
    instanceStarted: record("instanceStarted"),
    instanceLost: record("instanceLost"),
    rescued: record("rescued"),
    networkSuspected: record("networkSuspected"),
    steppedAside: record("steppedAside"),
    senderThreadEnded: record("senderThreadEnded"),
    fault: record("fault"),
    of,
    async seen(name, count = 1, matches = () => true) {
      const done = (): boolean => of(name).filter((value) => matches(value)).length >= count;
      if (!done()) await new Promise<void>((resolve) => waiters.push({ done, resolve }));
    },
  };
}

/** Hears nothing; for those that listen to a few milestones only. */
export const SILENT: Observer = {
  accepted() {},
  claimed() {},
  attempt() {},
  settled() {},
  instanceStarted() {},
  instanceLost() {},
  rescued() {},
  networkSuspected() {},
  steppedAside() {},
  senderThreadEnded() {},
  fault() {},
};
