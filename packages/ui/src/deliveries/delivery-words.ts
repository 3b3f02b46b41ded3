import type { Attempt, Delivery } from "@markethook/client";
import type { Tone } from "../shared/inline-text.tsx";
import { words } from "../words/words.ts";

const TONES: Readonly<Record<string, Tone>> = {
  pending: "busy",
  waiting: "busy",
  leased: "busy",
  held: "quiet",
  delivered: "good",
  dead: "bad",
  cancelled: "quiet",
};

export function stateWords(state: string): { word: string; tone: Tone } {
  const names: Readonly<Record<string, string>> = words.deliveries.states;
  return { word: names[state] ?? state, tone: TONES[state] ?? "quiet" };
}

/** Why a delivery ended, in words; null where the state says it all. */
export function reasonWords(reason: string | null): string | null {
  if (reason === null) return null;
  const reasons: Readonly<Record<string, string>> = words.deliveries.reasons;
  return reasons[reason] ?? reason.replaceAll("_", " ");
}

/** The buyer's name, the amount, and the version of an update, as far as the marketplace reported them. */
export function aboutWords({ details, version }: Pick<Delivery, "details" | "version">): string[] {
  // Of no known type: stored details can be damaged.
  const { buyerName, amount, currency } = (details ?? {}) as Record<string, unknown>;
  // The API takes an amount as a number, too.
  const paid = [typeof amount === "number" ? String(amount) : amount, currency]
    .filter((part) => typeof part === "string")
    .join(" ");
  return [buyerName, paid, version].filter(
    (part): part is string => typeof part === "string" && part !== "",
  );
}

/** The meaning of an attempt's outcome, and what to do next. */
interface OutcomeWords {
  title: string;
  next: string;
}

interface OutcomeTexts extends OutcomeWords {
  over?: string;
  test?: string;
}

/** Whether it is sent again by itself, has ended, or was a test. */
type Fate = "open" | "over" | "test";

interface Outcome {
  outcome: string;
  /** Whether any of the request left; null: that is not known. */
  sent: boolean | null;
  /** Of the reply; null: none came. */
  status: number | null;
  /** Whether it went to a chat platform, not to a server of the owner's. */
  isChat: boolean;
  fate: Fate;
  /** Where the time went, as far as it is known. */
  timings?: Pick<NonNullable<Attempt["timings"]>, "tlsMs"> | null;
}

export function outcomeWords(of: Outcome): OutcomeWords {
  const { outcome, sent, status, isChat, fate, timings } = of;
  const { outcomes, ofStatus, unsent, unencrypted, ofChat, ours } = words.deliveries;
  const isEncrypting = typeof timings?.tlsMs === "number";
  const all: Readonly<Record<string, OutcomeTexts>> = {
    ...outcomes,
    ...(sent === false ? unsent : {}),
    ...(sent === false && isEncrypting ? unencrypted : {}),
    ...(isChat ? ofChat : {}),
  };
  if (sent === null && !isChat && outcome in unsent) {
    return { title: shortOutcomeWords(outcome), next: "" };
  }
  const { title, next, over = next, test = over }: OutcomeTexts = all[outcome] ?? ours;
  const advice = outcome === "http_error" && !isChat ? ofStatus[String(status)] : undefined;
  return { title, next: advice ?? { open: next, over, test }[fate] };
}

/** How a delivery goes on: a ping is a test, and is sent once. */
export function fateOf({ event, state }: Pick<Delivery, "event" | "state">): Fate {
  if (event === "ping") return "test";
  return state === "dead" || state === "cancelled" ? "over" : "open";
}

/** The same in a few words, where there is no status. */
export function shortOutcomeWords(outcome: string): string {
  const { short, shortOurs } = words.deliveries;
  const all: Readonly<Record<string, string>> = short;
  return all[outcome] ?? shortOurs;
}

const OVERDUE_MS = 30_000;

/** Whether a delivery should have been sent long ago: its time says nothing any more about when it goes. */
export function isOverdue(dueAt: string, now: number): boolean {
  return now - Date.parse(dueAt) > OVERDUE_MS;
}
