import { isPortalPath } from "@markethook/protocol/portal-path";
import { tabStorage } from "./tab-storage.ts";

const START = "#code=";

/** The place that the address bar names; where the pages begin if it names none of them. */
export function placeNow(): string {
  return placeOr(globalThis.location.hash.slice(1));
}

/** Key of the looks that the last link of this tab asked for, as a query. */
const WISHES = "wishes";

export function wishesOfLink(): string {
  return tabStorage.read(WISHES) ?? "";
}

/**
 * Takes a link's code out of the address bar, where it must not stay, leaves nothing of it in the history, and goes to the
 * place that came with it. Whatever that says, it stays behind the `#` of this page.
 */
export function takeLink(): string | null {
  const { hash } = globalThis.location;
  if (!hash.startsWith(START)) return null;
  const parts = new URLSearchParams(hash.slice(1));
  const { history } = globalThis;
  // The router has its own state there, by which it finds the scroll position again.
  history.replaceState(history.state, "", `#${placeOr(parts.get("path") ?? "")}`);
  const code = parts.get("code") ?? "";
  for (const name of ["code", "path"]) parts.delete(name);
  tabStorage.write(WISHES, parts.toString());
  return code;
}

/** A link that is opened in a tab that shows this page already changes the fragment only, and must work all the same. */
export function reloadForLinks(): void {
  addEventListener("hashchange", () => {
    if (globalThis.location.hash.startsWith(START)) globalThis.location.reload();
  });
}

function placeOr(text: string): string {
  return isPortalPath(text) ? text : "/";
}

export type Tab = (typeof TABS)[number] | "deliveries";

const TABS = ["messages", "secret", "settings", "verify"] as const;

export function readTab(search: Record<string, unknown>): { tab?: Tab } {
  const tab = TABS.find((one) => one === search["tab"]);
  return tab === undefined ? {} : { tab };
}
