export type Tab = "deliveries" | "secret" | "settings" | "verify";

export function readTab(search: Record<string, unknown>): { tab?: Tab } {
  const { tab } = search;
  return tab === "secret" || tab === "settings" || tab === "verify" ? { tab } : {};
}
