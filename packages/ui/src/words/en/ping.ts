import type { ReactNode } from "react";
import { rich } from "../rich.ts";

export const ping = {
  title: "Ping",
  waiting: (isChat: boolean, seconds: ReactNode) =>
    rich`Waiting for ${isChat ? "the chat" : "your server"}. ${seconds}`,
  accepted: (status: number | null) => `Ping accepted with ${status ?? "2xx"}`,
  posted: "Ping posted to your channel",
  notSent: (title: string) => `Not sent: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
  failed: (title: string, status: number) => `${title}: ${status}`,
  butReplied: (reply: ReactNode) => rich` but your server replied: ${reply}`,
  messageThere: "The message stands there now. What it says is under Messages.",
  likeRefusal:
    "That reads like a refusal. Any status from 200 to 299 counts as accepted, and the event is not sent again. Reply with 401 when you refuse a request.",
  seenNext: (status: number | null) =>
    `Your server replied ${status ?? "2xx"} to a ping signed with the new secret alone. A server that checks no signatures replies the same: see in its log that it verified this ping.`,
  seen: (status: number | null) =>
    `Your server replied ${status ?? "2xx"}. Any status from 200 to 299 counts as accepted. To find out whether it refuses forged requests, open Verify requests.`,
  badSignature:
    "Most likely the signature did not fit: compare your server's secret with the one under Secret, or paste the request under Verify requests.",
  badPath: "Your server replies, but not at this path. Compare it with the route in your code.",
};
