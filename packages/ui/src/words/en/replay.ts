import { duration, plural, whole } from "../numbers.ts";
import type { ReactNode } from "react";
import { rich, strong } from "../rich.ts";

const many = (count: number, capped: boolean): string =>
  `${capped ? "more than " : ""}${whole(count)}`;
const begun = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const replay = {
  sendMany: "Send many again",
  sendMissing: "Send missing events",
  sent: "Sent",
  sending: (missing: boolean): string => (missing ? "Sending" : "Sending again"),
  send: (count: number, capped: boolean, missing: boolean) =>
    `Send ${many(count, capped)}${missing ? "" : " again"}`,
  of: "Range",
  lastHour: "The last hour",
  lastDay: "The last day",
  lastWeek: "The last week",
  allKept: "All that is kept",
  sinceEvent: "Since this event",
  whatToSend: "Send",
  again: "Deliveries again",
  againText: (isChat: boolean): string =>
    isChat ? "For example after the chat was down." : "For example after an outage of your server.",
  missing: "Events that were never sent here",
  missingText: "Because the webhook was added later, or the event was chosen later.",
  thatAre: "That ended as",
  nothingMissing: "Nothing is missing.",
  neverSent: (count: number, capped: boolean) =>
    begun(`${many(count, capped)} ${plural(count, "event was", "events were")} never sent here.`),
  noneFits: "No delivery fits.",
  fit: (count: number, capped: boolean) =>
    begun(`${many(count, capped)} ${plural(count, "delivery fits", "deliveries fit")}.`),
  arrivedLeftOut: "Deliveries that were sent again and have arrived since are left out.",
  repeated: (isChat: boolean): string =>
    isChat
      ? "Messages that were delivered before are posted a second time."
      : "Deliveries that arrived before are sent a second time, with the same webhook-id. Your server should ignore an id that it has seen.",
  alsoLate: (count: number) => `Also ${whole(count)} whose buyer had a later event sent here`,
  alsoLateText: (isChat: boolean) =>
    `For example a purchase that was refunded since.${
      isChat
        ? ""
        : " A server that does not look at the order could give access back to somebody who was refunded."
    }`,
  progress: "Progress",
  someSent: (done: number, of: number, capped: boolean) =>
    `${whole(done)} of ${many(of, capped)} sent`,
  over: (done: number, waiting: number) =>
    waiting === 0
      ? `${whole(done)} sent. The log shows the result of each.`
      : `${whole(done)} sent. ${whole(waiting)} ${plural(waiting, "waits", "wait")} for a later attempt.`,
  stoppedOthersWait: (done: number, rest: number, capped: boolean) =>
    `Stopped. ${whole(done)} ${plural(done, "was", "were")} sent; ${many(rest, capped)} ${plural(rest, "waits", "wait")} as before.`,
  stopped: (done: number, of: number, capped: boolean) =>
    `Stopped. ${whole(done)} of ${many(of, capped)} ${plural(done, "was", "were")} sent; deliveries already begun are still sent.`,
  rate: (rate: string) => `${rate} per second`,
  rateAndLeft: (rate: string, left: string) => `${rate} per second, about ${left} left`,
};

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
    rich`It accepted a ping ${when}. No delivery was accepted since ${since}: send the waiting ones now, and see.`,
  lastTime: (title: string, status: number | null) =>
    strong(
      `Last time: ${title.charAt(0).toLowerCase()}${title.slice(1)}${status === null ? "" : ` (${status})`}.`,
    ),
  sendingWaited: "Sending waiting deliveries",
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
  sendAll: "Send all waiting deliveries",
  sendAllText:
    "For example when your server works again. Deliveries that failed are sent now instead of at their next attempt, in the order of the events. Those that fail again wait as before.",
  counting: "Counting…",
  nothingWaits: "Nothing waits for a later attempt.",
  wait: (count: number, capped: boolean) =>
    `${many(count, capped)} ${plural(count, "delivery waits", "deliveries wait")}.`,
};
