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
  ...inGroup("Marketplace", {
    keys: ["Make, list and revoke API keys.", () => import("../commands/keys.ts")],
    resources: ["Put, show, list and delete resources.", () => import("../commands/resources.ts")],
    webhooks: [
      "Add, list, change, copy, pause and delete webhooks; their secrets.",
      () => import("../commands/webhooks.ts"),
    ],
    ping: [
      "Send a webhook's receiver the test event, once, now.",
      () => import("../commands/ping.ts"),
    ],
    emit: [
      "Report an event of a resource, or many from a file.",
      () => import("../commands/emit.ts"),
    ],
    deliveries: [
      "List deliveries; show one with its requests and answers.",
      () => import("../commands/deliveries.ts"),
    ],
    redeliver: ["Send an ended delivery again.", () => import("../commands/redeliver.ts")],
    "send-now": [
      "Send what waits for its next attempt now: one delivery, or all of a webhook.",
      () => import("../commands/send-now.ts"),
    ],
    replay: [
      "Send a range of ended deliveries again, or of missing ones.",
      () => import("../commands/replay.ts"),
    ],
    notices: ["List or follow messages for owners.", () => import("../commands/notices.ts")],
    audit: [
      "List who changed what, and check that nobody changed the list.",
      () => import("../commands/audit.ts"),
    ],
    "erase-user": [
      "Take one user out of all that is stored.",
      () => import("../commands/erase-user.ts"),
    ],
    import: [
      "Import resources, webhooks and file versions of another system.",
      () => import("../commands/import.ts"),
    ],
  }),
  ...inGroup("Receiver's developer", {
    receive: [
      "Receive webhooks on this machine: verify, show, record, and answer as told.",
      () => import("../commands/receive.ts"),
    ],
    trigger: [
      "Send a sample of an event, or a recorded request, to a receiver.",
      () => import("../commands/trigger.ts"),
    ],
    verify: [
      "Verify a request's signature, and say why it does not fit.",
      () => import("../commands/verify.ts"),
    ],
  }),
  ...inGroup("Help", {
    "exit-codes": ["Tell what the exit codes mean.", () => import("../commands/exit-codes.ts")],
  }),
];

/** By name, each with its summary. */
type Group = Readonly<Record<string, readonly [summary: string, load: ListedCommand["load"]]>>;

export function inGroup(
  group: ListedCommand["group"],
  commands: Group,
  more: Pick<ListedCommand, "service"> = {},
): ListedCommand[] {
  return Object.entries(commands).map(([name, [summary, load]]) =>
    Object.assign({ name, summary, group, load }, more),
  );
}

/** Every command there is, with those that the service's own package brings. */
export function allCommands(ofService: readonly ListedCommand[]): readonly ListedCommand[] {
  const all = [...ofService, ...CLIENT_COMMANDS];
  return GROUPS.flatMap((group) => all.filter((command) => command.group === group));
}
