import { UnexpectedAnswerError } from "./errors.ts";
import {
  isRepeatable,
  mayBeDone,
  type Outcome,
  type RetrySettings,
  waitBeforeRetry,
} from "./retry-policy.ts";
import { orAborted, sleep } from "./until-aborted.ts";
import { arrived, explainUnreachable, keyTimedOut, timedOut, turnTimedOut } from "./unreachable.ts";

export type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

export interface TransportSettings extends RetrySettings {
  /** Of one try, from the wait for its turn to the last byte of the answer. */
  timeoutMs: number;
  fetch: Fetch;
  /** The API key, asked for at each try; null for none. */
  apiKey: () => Promise<string | null>;
}

export type SendOptions = Partial<RetrySettings> & {
  timeoutMs?: number;
  /** Overrides what method and headers say about repeating. */
  repeatable?: boolean;
};

interface Transport {
  (options?: SendOptions): Fetch;
  openStream: Fetch;
}

/** The longest time of a timer; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * How many requests a client has open at once; others wait for their turn. `fetch` opens a connection for each, the service
 * closes those above its limit, and with thousands of them Node computes for minutes.
 */
const MOST_OPEN = 250;

/** Answers with these statuses have no body. */
const BODILESS: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/** Sends a request until it is answered, or until trying again would not help or not be safe. Rejects when aborted. */
export function createTransport(settings: TransportSettings): Transport {
  const inTurn = createTurns(MOST_OPEN);
  const send = (options: SendOptions = {}): Fetch => {
    const limits = { ...settings, ...options };
    checkTimeLimit(limits.timeoutMs);
    return async (request: Request): Promise<Response> => {
      const repeatable = options.repeatable ?? isRepeatable(request);
      let mayHaveArrived = false;
      for (let tries = 1; ; tries += 1) {
        const outcome = await tryOnce(request, limits, inTurn);
        const wait = waitBeforeRetry(outcome, tries, repeatable, limits, Math.random(), Date.now());
        if (wait === null) return settle(outcome, request, mayHaveArrived);
        mayHaveArrived ||= mayBeDone(outcome);
        await sleep(wait, request.signal);
      }
    };
  };
  return Object.assign(send, { openStream: (request: Request) => openStream(request, settings) });
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs at most so many pieces of work at once, first come first served. */
function createTurns(most: number): InTurn {
  let open = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (open < most) open += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) open -= 1;
      else next();
    }
  };
}

function checkTimeLimit(ms: number): void {
  if (Number.isInteger(ms) && ms >= 1 && ms <= LONGEST_TIMER_MS) return;
  throw new RangeError(
    `timeoutMs is ${String(ms)}. It is a whole number of milliseconds from 1 to ${LONGEST_TIMER_MS}: there is always a limit.`,
  );
}

/** Refusals come whole, so that they can be told as those of other calls. */
async function openStream(request: Request, settings: TransportSettings): Promise<Response> {
  const key = await orAborted(settings.apiKey(), request.signal);
  try {
    const { signal } = request;
    const response = await orAborted(settings.fetch(withKey(request, key), { signal }), signal);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (response.ok && isStream) return response;
    return await settle({ response: await orAborted(readWhole(response), signal) }, request, false);
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof UnexpectedAnswerError) throw error;
    throw explainUnreachable(new URL(request.url).origin, error);
  }
}

/** Node's copy of a request forgets the signal when garbage is collected, so `fetch` is given it again. */
function withKey(request: Request, key: string | null): Request {
  const copy = request.clone();
  if (key !== null) copy.headers.set("authorization", `Bearer ${key}`);
  return copy;
}

async function tryOnce(
  request: Request,
  settings: TransportSettings,
  inTurn: InTurn,
): Promise<Outcome> {
  request.signal.throwIfAborted();
  const limit = AbortSignal.timeout(settings.timeoutMs);
  const signal = AbortSignal.any([request.signal, limit]);
  let key: string | null;
  try {
    key = await orAborted(settings.apiKey(), signal);
  } catch (error) {
    request.signal.throwIfAborted();
    if (!limit.aborted) throw error;
    return { failure: keyTimedOut(settings.timeoutMs, error) };
  }
  let isSent = false;
  try {
    const answer = inTurn(async () => {
      signal.throwIfAborted();
      isSent = true;
      return await readWhole(await settings.fetch(withKey(request, key), { signal }));
    });
    // The limit holds also where a fetch does not hear of it.
    return { response: await orAborted(answer, signal) };
  } catch (error) {
    request.signal.throwIfAborted();
    const { origin } = new URL(request.url);
    if (!isSent) return { failure: turnTimedOut(origin, settings.timeoutMs, MOST_OPEN, error) };
    if (limit.aborted) return { failure: timedOut(origin, settings.timeoutMs, error) };
    return { failure: explainUnreachable(origin, error) };
  }
}

/** Here and not later, so that a body which stops before its end is a try that failed. */
async function readWhole(response: Response): Promise<Response> {
  if (response.type === "opaqueredirect") return response;
  const bytes = await response.arrayBuffer();
  const isEmpty = BODILESS.has(response.status) || bytes.byteLength === 0;
  return new Response(isEmpty ? null : bytes, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}

async function settle(
  outcome: Outcome,
  request: Request,
  mayHaveArrived: boolean,
): Promise<Response> {
  if ("failure" in outcome) throw mayHaveArrived ? arrived(outcome.failure) : outcome.failure;
  const { response } = outcome;
  const { origin } = new URL(request.url);
  // An earlier try had deleted it already; only its answer was lost.
  if (request.method === "DELETE" && response.status === 404 && mayHaveArrived) {
    return new Response(null, { status: 204 });
  }
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    const to = response.headers.get("location");
    throw new UnexpectedAnswerError(
      `${origin} redirects${to === null ? "" : ` to ${to}`}. Set baseUrl to where the service is.`,
      response.status,
      "",
    );
  }
  const type = response.headers.get("content-type") ?? "";
  const isJson = /\bjson\b/i.test(type);
  const expectsJson = /^(application\/json|text\/event-stream)$/.test(
    request.headers.get("accept") ?? "",
  );
  if (!isJson && response.body !== null && expectsJson) {
    throw new UnexpectedAnswerError(
      `${origin} answered ${response.status} with ${type === "" ? "no content type" : type} where JSON was expected. Is a proxy between, or something else behind baseUrl?`,
      response.status,
      await response.text(),
    );
  }
  if (response.ok && response.body === null && expectsJson && request.method !== "DELETE") {
    throw new UnexpectedAnswerError(
      `${origin} answered ${response.status} with nothing where JSON was expected. Is something else behind baseUrl?`,
      response.status,
      "",
    );
  }
  return response;
}
