import type { ReactNode } from "react";
import { plural, whole } from "../numbers.ts";
import { rich } from "../rich.ts";

export const events = {
  title: "Why did nothing arrive?",
  about: "Every event of your resources. Open one to see its result at each webhook.",
  none: "No events",
  noneAtAll: "Nothing has happened to your resources yet, or it is too old to be kept.",
  noneOfUser: "Nothing is known about this user. The marketplace may not have reported it.",
  showOlder: "Show older events",
  showNew: "Show new events",
  showNewOnes: (count: number) => `Show ${whole(count)} new ${plural(count, "event", "events")}`,
  userIdFault: "A user id is a whole number.",
  find: "Find",
  /** After a search, for screen readers: "3 events", "50+ events". */
  found: (count: number, andMore: boolean) =>
    `${whole(count)}${andMore ? "+" : ""} ${plural(count, "event", "events")}`,
  looking: "Looking…",
  noWebhook: "The resource had no webhook.",
  verdicts: {
    sent: "Sent",
    pending: "Pending",
    waiting: "Waiting",
    held: "Held",
    not_chosen: "Not chosen",
    paused_since: "Paused",
    disabled: "Disabled",
    created_later: "Added later",
    deleted: "Deleted",
    blocked_address: "Blocked",
    failed: "Failed",
    cancelled: "Cancelled",
  },
  /** By verdict, in place of the service's own sentence, which is English and says more. */
  sentences: {} as Readonly<Record<string, string>>,
  at: (when: ReactNode) => rich`${when}.`,
  since: (when: ReactNode) => rich`Since ${when}.`,
  theOneBefore: "The earlier one",
  sendMissing: "Send missing events…",
};
