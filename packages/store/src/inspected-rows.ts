import type { Instance } from "./port/instances.ts";

/** Returns the key id of `s1.<key id>.…`; null if nothing is encrypted. */
export function keyIdIn(encrypted: unknown): string | null {
  return typeof encrypted === "string" ? (encrypted.split(".")[1] ?? null) : null;
}

export function instanceOf(row: Readonly<Record<string, unknown>>): Instance {
  return {
    instanceNo: Number(row["instance_no"]),
    name: String(row["name"]),
    version: String(row["version"]),
    startedAt: Number(row["started_at"]),
    renewedAt: Number(row["renewed_at"]),
  };
}
