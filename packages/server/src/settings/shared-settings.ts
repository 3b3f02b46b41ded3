import type { Config } from "./config-schema.ts";

type SharedName = "MARKETHOOK_SERVICE_NAME" | "MARKETHOOK_BASE_URL" | "MARKETHOOK_LEASE";

/** Settings that all instances must have in common. Each start stores its own. */
export type SharedSettings = Readonly<Partial<Record<SharedName, string>>>;

/** @param baseUrl null: it is not set, as where a command needs none */
export function sharedSettings(
  { serviceName, lease }: Pick<Config, "serviceName" | "lease">,
  baseUrl: string | null,
  /** Only one instance uses an embedded database, so its lease concerns no other. */
  exclusive: boolean,
): SharedSettings {
  return {
    MARKETHOOK_SERVICE_NAME: serviceName,
    ...(baseUrl === null ? {} : { MARKETHOOK_BASE_URL: baseUrl }),
    ...(exclusive ? {} : { MARKETHOOK_LEASE: `${lease}ms` }),
  };
}

/** @param stored as the last start has written it; null: there was none */
export function differingSettings(
  stored: string | null,
  settings: SharedSettings,
): { name: SharedName; before: string; now: string }[] {
  if (stored === null) return [];
  const last = JSON.parse(stored) as SharedSettings; // What an earlier start has written.
  // All of its members have one of these names.
  return (Object.entries(settings) as [SharedName, string][]).flatMap(([name, now]) => {
    const before = last[name];
    // An earlier build may not have written it.
    return before === undefined || before === now ? [] : [{ name, before, now }];
  });
}
