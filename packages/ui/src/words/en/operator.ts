import { duration, plural, whole } from "../numbers.ts";

export const operator = {
  title: "Operator",
  refreshed: "Refreshed every two seconds.",
  forgetKey: "Forget the key",
  apiKey: "API key",
  apiKeyText:
    "With the scope admin or operator:read. It stays in this page's memory and is gone after a reload.",
  showKey: "Show the key",
  keyRefused: "This key is not accepted: it is unknown or was revoked.",
  open: "Open",

  dueNow: "Due now",
  oldestDue: "Oldest due",
  beingSent: "Being sent",
  waiting: "Waiting",
  perSecond: "Sent per second",
  store: "Store",

  rate: "Rate, sent per second",
  lag: "Lag, age of the oldest due",
  backlog: "Backlog, due and not sent",
  openNow: "Open, being sent",
  trend: (title: string, now: string, least: string, most: string, time: string) =>
    `${title}: now ${now}; between ${least} and ${most} over the last ${time}`,
  most: (most: string, time: string) => `most ${most}, over ${time}`,

  failures: "Failures by host",
  failuresText: "Of this instance, over the last 15 minutes; most failures first.",
  failedOf: (failed: number, all: number) => `${whole(failed)} failed of ${whole(all)}`,
  suspects: "Poison suspects",
  suspectsText: "Deliveries that may have ended the process that sent them, by level.",
  quarantined: "Quarantined",
  level: (level: number) => `Level ${whole(level)}`,
  heartbeats: "Heartbeats",
  heartbeatsText: (leaseMs: number) =>
    `Age of each instance's last heartbeat. After ${duration(leaseMs)} the others consider an instance dead.`,
  heartbeat: (version: string, age: string) => `version ${version}, heartbeat ${age} ago`,
  networkSuspected: (heartbeat: string) => `${heartbeat}, reaches almost no server`,

  attemptsTitle: "Attempts by host",
  attemptsText: "Of this instance, over the last 15 minutes; the 20 busiest hosts, failures first.",
  noAttempt: "No attempt in the last 15 minutes.",
  host: "Host",
  outcome: "Outcome",

  failingTitle: "Failing webhooks",
  failingText: "Active webhooks whose requests are not accepted. The 20 that began to fail last:",
  noneFailing: "None is failing.",
  since: "Since",

  disabledTitle: "Disabled webhooks",
  disabledText: (active: number, paused: number, disabled: number) =>
    `${whole(active)} active, ${whole(paused)} paused, ${whole(disabled)} disabled. The 20 that changed last:`,
  noneDisabled: "None is disabled.",
  reason: "Reason",
  owner: "Owner",
  changed: "Changed",

  instances: "Instances",
  noInstance: "None has a valid lease.",
  name: "Name",
  version: "Version",
  started: "Started",
  renewed: "Renewed",

  notices: "Notices",
  noticesText: "The last 20 messages for owners.",
  noneYet: "None yet.",
  when: "When",
  what: "What",

  changes: "Changes",
  changesText: "The last 20 of the audit log: who changed what. Owners' sessions are left out.",
  who: "Who",
  of: "Of",
  actors: { api_key: "Key", portal_session: "Owner", system: "Service", command_line: "Command" },

  service: "Service",
  runningFor: "Running for",
  database: "Database",
  allowed: "Allowed although not public",
  none: "none",
  masterKeys: "Master keys",
  encrypts: "(encrypts new secrets)",
  notPosted: "not posted",
  postedTo: (host: string, state: string, failure: string | null) =>
    `posted to ${host}: ${state}${failure === null ? "" : `; last try: ${failure}`}`,
  allTaken: "all taken",
  wait: (count: number, time: string) =>
    `${whole(count)} ${plural(count, "waits", "wait")}, for ${time}`,
};
