import type { Define } from "./context.ts";

/** In this order in the list of all commands. */
const GROUPS = ["Service", "Marketplace", "Receiver's developer", "Help"] as const;

export interface ListedCommand {
  name: string;
  /** One sentence, for the list of all commands. */
  summary: string;
  group: (typeof GROUPS)[number];
  /** Runs until it is stopped, and treats signals by itself. */
  service?: true;
  load(): Promise<{ define: Define }>;
}

/** The commands of a client. Their files are loaded when they are named, so that none slows down another's start. */
const CLIENT_COMMANDS: readonly ListedCommand[] = [
  {
    name: "keys",
    summary: "Make, list and revoke API keys.",
    group: "Marketplace",
    load: () => import("../commands/keys.ts"),
  },
  {
    name: "resources",
    summary: "Put, show, list and delete resources.",
    group: "Marketplace",
    load: () => import("../commands/resources.ts"),
  },
  {
    name: "webhooks",
    summary: "Add, list, change, copy, pause and delete webhooks; their secrets.",
    group: "Marketplace",
    load: () => import("../commands/webhooks.ts"),
  },
  {
    name: "ping",
    summary: "Send a webhook's receiver the test event, once, now.",
    group: "Marketplace",
    load: () => import("../commands/ping.ts"),
  },
  {
    name: "emit",
    summary: "Report an event of a resource, or many from a file.",
    group: "Marketplace",
    load: () => import("../commands/emit.ts"),
  },
  {
    name: "deliveries",
    summary: "List deliveries; show one with its requests and answers.",
    group: "Marketplace",
    load: () => import("../commands/deliveries.ts"),
  },
  {
    name: "redeliver",
    summary: "Send an ended delivery again.",
    group: "Marketplace",
    load: () => import("../commands/redeliver.ts"),
  },
  {
    name: "send-now",
    summary: "Send what waits for its next attempt now: one delivery, or all of a webhook.",
    group: "Marketplace",
    load: () => import("../commands/send-now.ts"),
  },
  {
    name: "replay",
    summary: "Send a range of ended deliveries again, or of missing ones.",
    group: "Marketplace",
    load: () => import("../commands/replay.ts"),
  },
  {
    name: "notices",
    summary: "List or follow what owners should be told.",
    group: "Marketplace",
    load: () => import("../commands/notices.ts"),
  },
  {
    name: "audit",
    summary: "List who changed what, and check that nobody changed the list.",
    group: "Marketplace",
    load: () => import("../commands/audit.ts"),
  },
  {
    name: "erase-user",
    summary: "Take one user out of all that is stored.",
    group: "Marketplace",
    load: () => import("../commands/erase-user.ts"),
  },
  {
    name: "import",
    summary: "Import resources, webhooks, file versions and first downloads of another system.",
    group: "Marketplace",
    load: () => import("../commands/import.ts"),
  },
  {
    name: "receive",
    summary: "Receive webhooks on this machine: verify, show, record, and answer as told.",
    group: "Receiver's developer",
    load: () => import("../commands/receive.ts"),
  },
  {
    name: "trigger",
    summary: "Send a sample of an event, or a recorded request, to a receiver.",
    group: "Receiver's developer",
    load: () => import("../commands/trigger.ts"),
  },
  {
    name: "verify",
    summary: "Verify a request's signature, and say why it does not fit.",
    group: "Receiver's developer",
    load: () => import("../commands/verify.ts"),
  },
  {
    name: "exit-codes",
    summary: "Tell what the exit codes mean.",
    group: "Help",
    load: () => import("../commands/exit-codes.ts"),
  },
];

/** Every command there is, with those that the service's own package brings. */
export function allCommands(ofService: readonly ListedCommand[]): readonly ListedCommand[] {
  const all = [...ofService, ...CLIENT_COMMANDS];
  return GROUPS.flatMap((group) => all.filter((command) => command.group === group));
}
