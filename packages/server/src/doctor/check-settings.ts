import { DEFAULT_BLOCKED_PORTS, parseAllowList } from "@markethook/dispatcher";
import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

const IDEMPOTENCY_MS = 72 * 3_600_000;

/** Checks for settings that cannot be read, and for settings that contradict each other. */
export function* checkSettings({ config, faults }: Facts): Iterable<Finding> {
  for (const { name, sentence } of faults) {
    yield finding("setting_invalid", `${name}: ${sentence}`);
  }
  const retriesMs = config.retrySchedule.reduce((sum, ms) => sum + ms, 0);
  if (config.retention < retriesMs) {
    yield finding(
      "retention_short",
      `Ended deliveries are kept for ${hours(config.retention)}, while retries take ${hours(retriesMs)}.`,
    );
  }
  if (config.idempotencyRetention < IDEMPOTENCY_MS) {
    yield finding(
      "idempotency_short",
      `Idempotency keys are kept for ${hours(config.idempotencyRetention)}.`,
    );
  }
  if (config.logLevel === "silent") yield finding("log_silent", "Nothing is logged.");
}

function hours(ms: number): string {
  return `${Math.round((ms / 3_600_000) * 10) / 10} h`;
}

/** Addresses at which clouds give a machine its credentials. */
const METADATA = [
  "169.254.169.254",
  "169.254.170.2",
  "100.100.100.200",
  "168.63.129.16",
  "fd00:ec2::254",
];
const LOOPBACK = ["127.0.0.1", "127.255.255.254", "::1"];
/** A shorter prefix contains the receivers of more than one network. */
const NARROW = { v4: 16, v6: 48 };

/** Checks the exceptions of the address guard in the settings. */
export function checkGuard({ config }: Facts): Finding[] {
  return [...config.allowTargets.entries.map(judgeEntry), ...unblockedPorts(config.blockPorts)];
}

function judgeEntry(entry: string): Finding {
  const { allows } = parseAllowList(entry);
  // An entry without a port allows any.
  const port = Number(/^(?:\[.*\]|[\d./]+):(\d+)$/.exec(entry)?.[1] ?? 80);
  const opens = (addresses: readonly string[]): string | undefined =>
    addresses.find((address) => allows(address, port));
  const metadata = opens(METADATA);
  if (metadata !== undefined) {
    return finding(
      "guard_metadata",
      `"${entry}" lets receivers be at the metadata address ${metadata}.`,
    );
  }
  const loopback = opens(LOOPBACK);
  if (loopback !== undefined) {
    return finding("guard_loopback", `"${entry}" lets receivers be on this machine (${loopback}).`);
  }
  const bits = Number(/\/(\d+)/.exec(entry)?.[1] ?? 128);
  if (bits < (entry.includes(".") ? NARROW.v4 : NARROW.v6)) {
    return finding("guard_wide", `"${entry}" opens a very large range to receivers.`);
  }
  return finding("guard_opened", `"${entry}" lets receivers be at addresses that are not public.`);
}

function unblockedPorts(blocked: ReadonlySet<number>): Finding[] {
  const open = [...DEFAULT_BLOCKED_PORTS]
    .filter((port) => !blocked.has(port))
    .sort((a, b) => a - b);
  if (open.length === 0) return [];
  const named = open.length > 10 ? `${open.slice(0, 10).join(", ")} and others` : open.join(", ");
  return [finding("ports_unblocked", `Receivers may have ports of other services: ${named}.`)];
}
