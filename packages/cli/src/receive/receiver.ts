import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { LIMITS } from "@markethook/protocol";
import type { RequiredStyle, VerifyFailureCode, VerifyResult } from "@markethook/receiver";
import { verify } from "@markethook/receiver/node";
import { usageFailure } from "../program/failure.ts";
import type { Header } from "../options/option-values.ts";
import { headerPairs, readBody, type RecordedRequest } from "../recording.ts";

export interface Arrival {
  /** Counted from 1. */
  number: number;
  request: RecordedRequest;
  /** Null where nothing is verified. */
  verdict: VerifyResult | null;
  /** The number of the first request with the same `webhook-id`. */
  repeats: number | null;
  status: number;
  /** Whether the status is that of the options, and not a refusal. */
  asTold: boolean;
}

export interface ReceiverOptions {
  host: string;
  port: number;
  /** Null: nothing is verified. */
  secrets: readonly string[] | null;
  serviceName: string;
  require: RequiredStyle;
  status: number;
  header: readonly Header[];
  body: string;
  delayMs: number;
  /** How many requests that verify are answered 500 at first. */
  fail: number;
  /** From 0 to 1. */
  failRate: number;
  onArrival(arrival: Arrival): void;
  /** Called for a request that no webhook sends, which is not counted. */
  onIgnored(sentence: string): void;
  onAnswered(number: number): void;
}

/** No request of the service is larger. */
const LARGEST_BODY = 4 * LIMITS.eventBytes;
/** Remembered to notice repeats; the oldest are forgotten first. */
const MOST_IDS = 10_000;

/** A receiver as an owner would write it, that tells what it sees. */
export async function startReceiver(
  options: ReceiverOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const state: State = {
    arrivals: 0,
    verified: 0,
    seen: new Map(),
    stopping: new AbortController(),
  };
  const server = createServer((request, response) => {
    answer(request, response, options, state).catch((error: unknown) =>
      response.destroy(asError(error)),
    );
  });
  const url = await listen(server, options);
  return {
    url,
    async close() {
      state.stopping.abort();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

interface State {
  arrivals: number;
  /** Of those, all that were not refused. */
  verified: number;
  seen: Map<string, number>;
  stopping: AbortController;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReceiverOptions,
  state: State,
): Promise<void> {
  const what = `${request.method ?? ""} ${request.url ?? ""}`;
  if (request.method !== "POST") {
    options.onIgnored(`${what} → 405: webhooks come as POST`);
    response.writeHead(405, { allow: "POST", "content-type": "text/plain" });
    response.end("markethook receive is here. Webhooks come as POST.\n");
    return;
  }
  const body = await readBody(request, LARGEST_BODY);
  if (body === null) {
    options.onIgnored(`${what} → 413: the body is larger than 1 MiB`);
    response.writeHead(413, { connection: "close" }).end();
    return;
  }
  state.arrivals += 1;
  const arrival = judge(state, options, {
    receivedAt: Date.now(),
    method: request.method,
    url: request.url ?? "/",
    headers: headerPairs(request.rawHeaders),
    body,
  });
  options.onArrival(arrival);
  if (options.delayMs > 0) {
    await wait(options.delayMs, undefined, { signal: state.stopping.signal }).catch(
      () => undefined,
    );
  }
  response.statusCode = arrival.status;
  if (arrival.asTold)
    for (const [name, value] of options.header) response.appendHeader(name, value);
  response.on("close", () => options.onAnswered(arrival.number));
  // A status without a body must not get one.
  response.end(arrival.asTold && ![204, 304].includes(arrival.status) ? options.body : "");
}

function judge(state: State, options: ReceiverOptions, request: RecordedRequest): Arrival {
  const number = state.arrivals;
  const { secrets, serviceName, require } = options;
  const verdict =
    secrets === null
      ? null
      : verify(request.body, request.headers, secrets, { serviceName, require });
  const id = request.headers.find(([name]) => name.toLowerCase() === "webhook-id")?.[1];
  // A request that was not verified could carry anybody's id.
  const counts = id !== undefined && verdict?.ok !== false;
  const repeats = counts ? (state.seen.get(id) ?? null) : null;
  if (counts && repeats === null) remember(state.seen, id, number);
  if (verdict?.ok !== false) state.verified += 1;
  const fails = state.verified <= options.fail || Math.random() < options.failRate;
  const status = verdict?.ok === false ? refusalOf(verdict.code) : fails ? 500 : options.status;
  const asTold = verdict?.ok !== false && !fails;
  return { number, request, verdict, repeats, status, asTold };
}

function remember(seen: Map<string, number>, id: string, number: number): void {
  seen.set(id, number);
  const [oldest] = seen.keys();
  if (seen.size > MOST_IDS && oldest !== undefined) seen.delete(oldest);
}

/** As the receiver library answers. */
function refusalOf(code: VerifyFailureCode): number {
  const malformed = ["version_unsupported", "envelope_invalid", "payload_invalid"];
  return malformed.includes(code) ? 400 : 401;
}

async function listen(server: Server, { host, port }: ReceiverOptions): Promise<string> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw explain(error, host, port);
  }
  const address = server.address();
  const real = typeof address === "object" && address !== null ? address.port : port;
  return `http://${host.includes(":") ? `[${host}]` : host}:${real}/`;
}

function explain(error: unknown, host: string, port: number): Error {
  const { code } = error as NodeJS.ErrnoException; // Errors of listening have a code.
  if (code === "EADDRINUSE") {
    return usageFailure(
      `Port ${port} of ${host} is taken.`,
      "Choose another with --port; 0 takes a free one.",
    );
  }
  if (code === "EACCES") {
    return usageFailure(`Port ${port} needs more rights.`, "Choose one above 1023 with --port.");
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return usageFailure(`This machine has no address ${host}.`, "Check --host.");
  }
  return asError(error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
