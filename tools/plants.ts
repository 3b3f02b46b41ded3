/** A change of one place. */
interface Change {
  file: string;
  find: string;
  replace: string;
}

/** A plausible bug. */
export interface Bug extends Change {
  name: string;
  /** Other places, where a second defence would make the bug harmless. */
  also?: readonly Change[];
}

/** A bug that the simulation must notice. */
export interface SimulationPlant extends Bug {
  /** How many seeds are tried, if others than usual. */
  seeds?: number;
  /** Only failovers show it. */
  failovers?: boolean;
}

export function changesOf(bug: Bug): readonly Change[] {
  return [bug, ...(bug.also ?? [])];
}

/** A bug that at least one of these tests must notice. */
export interface Plant extends Bug {
  tests: readonly string[];
  /** Of these only those whose names begin so. */
  only?: string;
}

const DISPATCHER = "packages/dispatcher/src";

export const PLANTS: readonly Plant[] = [
  {
    name: "a thread begins with a request that it signs, and does not say so",
    file: `${DISPATCHER}/send/threads/sender-thread.ts`,
    find: "  Atomics.store(progress, rights.slot, BEGUN);",
    replace: "",
    tests: [`${DISPATCHER}/send/threads/thread-ends.test.ts`],
  },
  {
    name: "only the first DNS answer is judged",
    file: `${DISPATCHER}/guard/vet-addresses.ts`,
    find: "const enough = isLocalhost(host) ? allowed.length > 0 : allowed.length === addresses.length;",
    replace: "const enough = allowed[0] === addresses[0];",
    tests: [`${DISPATCHER}/guard/vet-addresses.test.ts`, `${DISPATCHER}/send/sender.test.ts`],
  },
  {
    name: "redirects are followed",
    file: `${DISPATCHER}/send/sender.ts`,
    find: "const exchange = new Exchange(this.#host, request, owner, this.#options.attemptTimeoutMs);",
    replace: `const follow = (result: SendResult): void => {
      const to = result.headers.find(([name]) => name.toLowerCase() === "location")?.[1];
      if (to === undefined) owner.ended(result);
      else {
        const url = { value: to };
        const next = Object.create(Object.getPrototypeOf(request), {
          ...Object.getOwnPropertyDescriptors(request),
          url,
        }) as RenderedRequest;
        this.start(next, owner);
      }
    };
    const follower = { mayWrite: () => owner.mayWrite(), ended: follow };
    const exchange = new Exchange(this.#host, request, follower, this.#options.attemptTimeoutMs);`,
    tests: [`${DISPATCHER}/send/sender-hostile.test.ts`],
  },
  {
    name: "an answer's body has no bound",
    file: `${DISPATCHER}/send/response-head.ts`,
    find: "wireBytes: 64 * 1024,",
    replace: "wireBytes: Number.MAX_SAFE_INTEGER,",
    tests: [`${DISPATCHER}/send/sender-hostile.test.ts`],
  },
  {
    name: "literal addresses are not judged",
    file: `${DISPATCHER}/guard/url-rules.ts`,
    find: 'if (!judgeAddress(host, port, rules.allow)) return "url_host_reserved";',
    replace: "",
    tests: [`${DISPATCHER}/guard/url-rules.test.ts`],
  },
  {
    name: "the deadline ends with the headers",
    file: `${DISPATCHER}/send/exchange.ts`,
    find: "if (now >= this.deadline) {",
    replace: "if (now >= this.deadline && this.#parser?.head == null) {",
    tests: [`${DISPATCHER}/send/sender-hostile.test.ts`],
  },
  {
    name: "a forged cursor is read",
    file: "packages/api/src/request/cursor.ts",
    find: "if (given.length !== MAC_BYTES || !timingSafeEqual(given, mac(binding, payload))) {",
    replace: "if (given.length !== MAC_BYTES) {",
    tests: ["packages/api/src/request/cursor.test.ts"],
  },
  {
    name: "a foreign id is readable",
    file: "packages/store/src/management/webhooks/webhook-row.ts",
    find: 'if (ownerId !== null) query = query.where("w.owner_id", "=", ownerId);',
    replace: "",
    tests: ["packages/store/src/sqlite/conformance.test.ts"],
    only: "SQLite: webhooks",
  },
  {
    name: "a permit that led to nothing is not passed on",
    file: `${DISPATCHER}/queue/waiting-room.ts`,
    find: "} else this.#letOut(place);",
    replace: "} else if (!refused) this.#letOut(place);",
    tests: [`${DISPATCHER}/gates/counter.test.ts`],
  },
  {
    name: "after a restart what failed before is new",
    file: `${DISPATCHER}/queue/fair-queue.ts`,
    find: "if (webhook.failing) queue.countAsFailing();",
    replace: "",
    tests: [`${DISPATCHER}/queue/regression-failing-before.test.ts`],
  },
  {
    name: "failures of a run that is due for a warning are only counted",
    file: "packages/store/src/sqlite/record-health.ts",
    find: "    now - youngerThanMs,",
    replace: "    now - 2 * youngerThanMs,",
    tests: ["packages/store/src/sqlite/conformance.test.ts"],
    only: "SQLite: health",
  },
];
