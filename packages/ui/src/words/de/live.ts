import type { Words } from "../en/index.ts";

export const live: Words["live"] = {
  connecting: "Verbindet",
  live: "Live",
  offline: "Offline",
  away: "Verbindet neu",
};
