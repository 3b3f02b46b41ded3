import type { EventName } from "@markethook/protocol/event-names";
import { list, plural, whole } from "../numbers.ts";
import { rich, strong } from "../rich.ts";

export const shared = {
  close: "Close",
  cancel: "Cancel",
  tryAgain: "Try again",
  loading: "Loading",
  copy: "Copy",
  copied: "Copied",
  copyRefused: "Not allowed here",
  wasCopied: (label: string) => `${label} copied`,
  directionMark: "A mark that changes the direction",
  from: "From",
  to: "To",
  endsTooEarly: "The range ends before it begins.",
  nothingHere: "There is nothing here",
  nothingHereText: "It was deleted, or it does not belong to you.",
  reference: (id: string) => `Reference: ${id}.`,
  unreachable: {
    title: "The service cannot be reached",
    text: "Check your connection. If it works, try again in a minute.",
  },
  somethingElse: {
    title: "Something else replied",
    text: "A proxy or a sign-in page may be in between. Try again in a minute.",
  },
  wentWrong: { title: "Something went wrong", text: "Try again; if it stays so, reload the page." },
  dryRun: (allowed: readonly string[]) =>
    rich`${strong("Dry run.")} This is a copy to try things out: everything is accepted and shown, and nothing is sent${
      allowed.length === 0 ? "" : ` except to ${list(allowed)}`
    }.`,
  /** In place of a status. */
  noReply: "No reply",
  notSent: "Not sent",
  justNow: "just now",
  inAMoment: "in a moment",
  allEvents: "All events",
  events: {
    ping: { title: "Ping", about: "" },
    "product.update": {
      title: "Update posted",
      about: "You post an update to the resource. Carries the previous and the new file version.",
    },
    "product.user.purchase": {
      title: "Purchase",
      about: "A user purchases the resource. Carries the user's id.",
    },
    "product.user.purchaseRemoved": {
      title: "Purchase removed",
      about:
        "You refund a user, or a user issues a chargeback. May be sent more than once for the same user.",
    },
    "product.user.firstDownload": {
      title: "First download",
      about: "A user downloads the resource for the first time.",
    },
  } satisfies Record<EventName, { title: string; about: string }>,
  /** "1 delivery", "4,800 deliveries", "500+ deliveries". */
  deliveries: (count: number, andMore = false) =>
    `${whole(count)}${andMore ? "+" : ""} ${andMore ? "deliveries" : plural(count, "delivery", "deliveries")}`,
};

interface ErrorText {
  title: string;
  /** Null: the service's own sentence says more. */
  text: string | null;
}

/** By the code of the error. Where a code is missing, the service's own words are shown; they are English. */
export const errors: Readonly<Record<string, ErrorText>> = {
  target_blocked: {
    title: "This address is not allowed, or its name cannot be found.",
    text: "Check its spelling. Its host needs a public address; an operator can allow others by setting.",
  },
  not_found: {
    title: "There is nothing here.",
    text: "It was deleted, or it does not belong to you.",
  },
  owner_limit_reached: { title: "This was done too often.", text: "Wait a minute, and try again." },
  too_many_attempts: {
    title: "There were too many wrong attempts from your address.",
    text: "Wait a minute, and try again.",
  },
  overloaded: { title: "The service is overloaded just now.", text: "Try again in a moment." },
  store_unavailable: {
    title: "The service's database does not answer.",
    text: "Try again in a moment.",
  },
  shutting_down: { title: "The service is restarting.", text: "Try again in a moment." },
  webhook_not_active: {
    title: "The webhook's state does not allow this.",
    text: "See its state, and the reason for it.",
  },
  webhook_changed: {
    title: "The webhook was changed meanwhile, and nothing of this was saved.",
    text: "Reload the page, and decide what to keep.",
  },
  resource_unknown: {
    title: "There is no such resource.",
    text: "It was deleted, or it does not belong to you. Open this page again from your resource.",
  },
  chat_unsupported: {
    title: "No messages are made for this chat yet.",
    text: "Enter the URL of a program of your own that posts there, or the webhook URL of a chat that this page offers.",
  },
  webhook_is_chat: {
    title: "This webhook posts into a chat, where nothing is signed.",
    text: "Only a webhook of a server of your own has a secret.",
  },
};
