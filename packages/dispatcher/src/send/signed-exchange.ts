import {
  DELIVERY_CONTROL_HEADER,
  type RenderedRequest,
  type RequestVariables,
} from "@markethook/protocol";
import type { Timings } from "@markethook/store";
import { attemptDetail } from "./attempt-detail.ts";
import type { RequestOwner } from "./exchange.ts";
import { scrub } from "./scrub.ts";
import type { SendResult } from "./send-result.ts";
import { requestOf, type UnsignedRequest } from "./signed-request.ts";

/** The judged part of a result. It never repeats the webhook's address. The attempt's detail has the rest. */
export interface JudgedResult extends Pick<
  SendResult,
  "status" | "category" | "detail" | "sent" | "address"
> {
  /** At least those of `JUDGED_HEADERS`. */
  headers: readonly [string, string][];
  timings: Pick<Timings, "totalMs">;
}

export interface SignedOwner extends Omit<RequestOwner, "ended"> {
  /** Called once, unless `failed` is. `detail`: the JSON text of an `AttemptDetail`. Must not throw. */
  ended(result: JudgedResult, detail: string): void;
  /** Called after a fault of our own, of which nothing can be recorded. Must not throw. */
  failed(error: unknown): void;
}

const JUDGED_HEADERS: ReadonlySet<string> = new Set(["retry-after", DELIVERY_CONTROL_HEADER]);
const NO_HEADERS: JudgedResult["headers"] = [];

/** Signs and renders a request, sends it, and writes its attempt's detail. */
export function startSigned(
  start: (request: RenderedRequest, owner: RequestOwner) => void,
  unsigned: UnsignedRequest,
  owner: SignedOwner,
): void {
  let signed: ReturnType<typeof requestOf>;
  try {
    signed = requestOf(unsigned);
  } catch (error) {
    owner.failed(error);
    return;
  }
  start(signed.request, new Recorder(unsigned, signed.variables, owner));
}

/** Ends a request that its thread did not end, as the thread would have. */
export function endSigned(unsigned: UnsignedRequest, owner: SignedOwner, result: SendResult): void {
  startSigned((_request, recorder) => recorder.ended(result), unsigned, owner);
}

/** A class, because closures for each request would be garbage that outlives it. */
class Recorder implements RequestOwner {
  readonly party: string;
  readonly #unsigned: UnsignedRequest;
  readonly #variables: RequestVariables;
  readonly #owner: SignedOwner;

  constructor(unsigned: UnsignedRequest, variables: RequestVariables, owner: SignedOwner) {
    this.party = owner.party ?? "";
    this.#unsigned = unsigned;
    this.#variables = variables;
    this.#owner = owner;
  }

  mayWrite(): boolean {
    return this.#owner.mayWrite();
  }

  mayReach(address: string): boolean {
    return this.#owner.mayReach === undefined || this.#owner.mayReach(address);
  }

  async confirm(addresses: readonly string[]): Promise<void> {
    await this.#owner.confirm?.(addresses);
  }

  ended(answer: SendResult): void {
    const { at, profile, webhook } = this.#unsigned;
    let judged: JudgedResult;
    let detail: string;
    try {
      const result = scrub(answer, webhook);
      judged = judgedOf(result);
      const { shownUrl } = webhook;
      detail = attemptDetail({ at, profile, shownUrl }, this.#variables, result);
    } catch (error) {
      this.#owner.failed(error);
      return;
    }
    this.#owner.ended(judged, detail);
  }
}

function judgedOf({
  status,
  category,
  detail,
  sent,
  headers,
  address,
  timings,
}: SendResult): JudgedResult {
  const judged = headers.filter(([name]) => JUDGED_HEADERS.has(name.toLowerCase()));
  const { totalMs } = timings;
  return {
    status,
    category,
    detail,
    sent,
    address,
    headers: judged.length === 0 ? NO_HEADERS : judged,
    timings: { totalMs },
  };
}
