import { list } from "../numbers.ts";
import { rich, strong } from "../rich.ts";

export const app = {
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
  failed: "This page could not be shown",
  failedText: "The service may be out of reach. The other pages go on working.",
  noSuchPage: "There is no such page",
  chooseAbove: "Choose one above.",
  schemes: { auto: "system", light: "light", dark: "dark" },
  theme: (scheme: string) => `Theme: ${scheme}`,
  themeButton: (scheme: string, next: string) => `Theme: ${scheme}. Change to ${next}`,
};
