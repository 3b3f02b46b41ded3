import type { Ledger } from "../ledger.ts";

interface ReportedEvent {
  resourceId: string;
  event: string;
  user: { id: number };
  idempotencyKey: string;
}

export interface Load {
  /** No new batches; resolves when the last ones are answered. */
  stop(): Promise<void>;
  /** At once, unanswered batches and all: for the end of a failed test. */
  abort(): void;
}

/**
 * Reports purchases, and refunds right after their purchases' 202; whatever is not answered is repeated under the
 * same keys, at whichever instance is up. Keeps a bounded number of deliveries under way.
 */
export function startLoad(options: {
  ledger: Ledger;
  resourceId: string;
  webhooks: number;
  apiKey: string;
  /** Addresses of instances that listen now. */
  addresses: () => readonly string[];
  underWay: number;
  batch: number;
  clients: number;
  /** Before each further batch, besides that; default 0. */
  restMs?: number;
}): Load {
  const { ledger } = options;
  let stopped = false;
  let aborted = false;
  let nextUser = 1;
  let turn = 0;
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  async function post(events: readonly ReportedEvent[]): Promise<void> {
    while (!aborted) {
      const addresses = options.addresses();
      const address = addresses[(turn += 1) % Math.max(1, addresses.length)];
      const results = address === undefined ? null : await tryPost(address, options.apiKey, events);
      if (results !== null) {
        for (const [index, { eventId }] of results.entries()) {
          const key = events[index]?.idempotencyKey ?? "";
          if (eventId === undefined) ledger.violations.push(`${key} was rejected`);
          else ledger.accept(key, eventId);
        }
        return;
      }
      await pause(20);
    }
  }

  async function client(): Promise<void> {
    while (!stopped) {
      const users = Array.from({ length: options.batch }, () => nextUser++);
      await post(users.map((id) => reported(options.resourceId, "product.user.purchase", id)));
      const refunds = users.filter((id) => id % 3 === 0);
      await post(
        refunds.map((id) => reported(options.resourceId, "product.user.purchaseRemoved", id)),
      );
      await pause(options.restMs ?? 0);
      while (!stopped && ledger.underWay(options.webhooks) > options.underWay) await pause(5);
    }
  }

  const clients = Array.from({ length: options.clients }, client);
  return {
    abort() {
      stopped = true;
      aborted = true;
    },
    async stop() {
      stopped = true;
      await Promise.all(clients);
    },
  };
}

/** Reports once more what was answered, at an instance that is up. Whether it is the same event, the ledger judges. */
export async function reportAgain(
  ledger: Ledger,
  to: { address: string; apiKey: string; resourceId: string },
  keys: readonly string[],
): Promise<void> {
  const events = keys.map((key) => {
    const [event = "", id] = key.split(" ");
    return reported(to.resourceId, event, Number(id));
  });
  let results: { eventId?: string }[] | null = null;
  for (let tries = 0; results === null && tries < 50; tries += 1) {
    results = await tryPost(to.address, to.apiKey, events);
  }
  if (results === null) throw new Error(`${to.address} does not take what is reported again`);
  for (const [index, { eventId }] of results.entries()) {
    const key = keys[index] ?? "";
    if (eventId === undefined) ledger.violations.push(`${key} was rejected when it was repeated`);
    else ledger.accept(key, eventId);
  }
}

function reported(resourceId: string, event: string, id: number): ReportedEvent {
  return { resourceId, event, user: { id }, idempotencyKey: `${event} ${id}` };
}

/** Null: no answer, or one that asks to repeat. */
async function tryPost(
  address: string,
  apiKey: string,
  events: readonly ReportedEvent[],
): Promise<{ eventId?: string }[] | null> {
  try {
    const response = await fetch(`${address}/v1/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ events }),
      signal: AbortSignal.timeout(5000),
    });
    if (response.status !== 202) {
      await response.arrayBuffer();
      return null;
    }
    return ((await response.json()) as { results: { eventId?: string }[] }).results;
  } catch {
    return null;
  }
}
