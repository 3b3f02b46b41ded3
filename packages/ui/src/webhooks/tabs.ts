export type Tab = (typeof TABS)[number] | "deliveries";

const TABS = ["messages", "secret", "settings", "verify"] as const;

export function readTab(search: Record<string, unknown>): { tab?: Tab } {
  const tab = TABS.find((one) => one === search["tab"]);
  return tab === undefined ? {} : { tab };
}
