import type { ReactNode } from "react";
import { duration, plural, whole } from "../numbers.ts";
import { rich, strong } from "../rich.ts";

const many = (count: number, capped: boolean): string =>
  `${capped ? "more than " : ""}${whole(count)}`;

export const early = {
  isFailing: (isChat: boolean): string =>
    isChat ? "The chat is failing" : "Your server is failing",
  repliesAgain: (isChat: boolean, count: number, capped: boolean) =>
    `${isChat ? "The chat" : "Your server"} replies again.${
      count === 0
        ? ""
        : ` Send the ${count === 1 ? "one that waits" : `${many(count, capped)} that wait`}?`
    }`,
  sendNow: (count: number, capped: boolean) => `Send ${many(count, capped)} now`,
  noneSince: (since: ReactNode, longestMs: number) =>
    rich`No delivery has been accepted since ${since}; a ping does not count. After ${duration(longestMs)} of this the webhook is disabled.`,
  attemptFailed:
    "An attempt of each of these failed. They are sent again later by themselves, or all of them now.",
  pingAccepted: (when: ReactNode, since: ReactNode) =>
    rich`It accepted a ping ${when}. No delivery was accepted since ${since}: send what waits now, and see.`,
  lastTime: (title: string, status: number | null) =>
    strong(
      `Last time: ${title.charAt(0).toLowerCase()}${title.slice(1)}${status === null ? "" : ` (${status})`}.`,
    ),
  sendingWaited: "Sending what waited",
  allSent: "All of it was sent",
  stopped: "Stopped",
  stop: "Stop",
  goOn: "Go on",
  goesOn: "It goes on if you close this page.",
  beingSent: (earlier: number) =>
    earlier === 0
      ? "It is being sent."
      : `It is being sent. ${whole(earlier)} earlier ${plural(earlier, "one", "ones")} about the same buyer ${plural(earlier, "goes", "go")} first.`,
  sendItNow: "Send now",
  sendingNow: "Sending now",
  sendAll: "Send all that waits",
  sendAllText:
    "For example when your server works again. Deliveries that failed are sent now instead of at their next attempt, in the order in which the events happened. Those that fail again wait as before.",
  counting: "Counting…",
  nothingWaits: "Nothing waits for a later attempt.",
  wait: (count: number, capped: boolean) =>
    `${many(count, capped)} ${plural(count, "delivery waits", "deliveries wait")}.`,
};
