import type { ReactNode } from "react";
import { list } from "../numbers.ts";
import { rich, strong } from "../rich.ts";
import { errors, shared } from "./shared.ts";
import { webhooks } from "./webhooks.ts";

const app = {
  webhooks: "Webhooks",
  deliveries: "Deliveries",
  events: "Events",
  pages: "Pages",
  skip: "Skip to content",
  back: "Back to your resource",
  development: (allowed: readonly string[]) =>
    rich`${strong("Development mode.")} Servers on this machine are allowed (${list(allowed)}). Do not use it in production.`,
  offline: "You are offline",
  offlineText:
    "What you see may be old. Webhooks go on working, and this page catches up by itself.",
  failed: "This part could not be shown",
  failedText:
    "The service may be out of reach, or it was upgraded while this page was open. All else goes on working.",
  noSuchPage: "There is no such page",
  chooseAbove: "Choose one above.",
  schemes: { auto: "system", light: "light", dark: "dark" },
  theme: (scheme: string) => `Theme: ${scheme}`,
  themeButton: (scheme: string, next: string) => `Theme: ${scheme}. Change to ${next}`,
};

const session = {
  /** `again`: where the marketplace can be asked for a new session; else what to do by hand. */
  closed: {
    no_session: {
      title: "Open this page from your resource",
      again: "This tab has no session. The marketplace knows you, and leads back to this place.",
      byHand: "Go to your resource's page, open its edit section and press Webhooks.",
    },
    code_used: {
      title: "This link has been used or is too old",
      again: "A link to this page works once, for a few minutes. The marketplace makes a new one.",
      byHand:
        "A link to this page works once, for a few minutes. Press Webhooks in your resource's edit section for a new one.",
    },
    ended: {
      title: "Your session has ended",
      again: "Nothing is lost: webhooks go on working, and your input is kept in this tab.",
      byHand:
        "Nothing is lost: webhooks go on working, and your input is kept in this tab. Press Webhooks in your resource's edit section to come back.",
    },
  },
  openAgain: "Open again",
  otherAccount: "This tab shows another account now",
  itIs: (owner: ReactNode) => rich`It is ${owner}. Unsaved input of the account before is gone.`,
  ok: "OK",
  ends: (when: ReactNode) => rich`Your session ends ${when}`,
  typedIsKept: "Your input is kept in this tab.",
  goOn: "Go on",
  beginNew: "Begin a new one",
};

/** The texts of the first page and of every page, which come with the first load. */
export const first = { app, errors, session, shared, webhooks };
