import type { ReactNode } from "react";
import { rich } from "../rich.ts";

export const sample = {
  title: "Send a sample",
  send: "Send sample",
  sendAnother: "Send another one",
  mayAct: "Your server may act on it",
  mayActText: (header: ReactNode) =>
    rich`It is signed as a real event is, and only the header ${header} tells it apart. Use your own user id. It stands in no log, and is never sent again.`,
  event: "Event",
  userId: "User id",
  accepted: (status: number | null) => `Your server accepted it with ${status ?? "2xx"}`,
  body: "body of the sample",

  // Next to each event that can be chosen
  showBody: "Show the body",
  hideBody: "Hide the body",
  showBodyOf: (title: string) => `Show the body of ${title}`,
  hideBodyOf: (title: string) => `Hide the body of ${title}`,
  bodyOf: (title: string) => `body of ${title}`,
  bodyUnloadable: "The body could not be loaded. Reload the page to see it.",
};
