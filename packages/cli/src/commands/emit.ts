import type { EventInput, UpdateReport } from "@markethook/client";
import { given, REPORTED_EVENT_NAMES, type ReportedEventName } from "@markethook/protocol";
import { Argument } from "commander";
import { addApiOptions, addServerHelp, type ApiOptions, connect } from "../connect.ts";
import type { Context, Define } from "../program/context.ts";
import { emitLines } from "../emit/emit-lines.ts";
import { usageFailure } from "../program/failure.ts";
import { jsonObject } from "../options/json-options.ts";
import { moment, userId, whole } from "../options/option-values.ts";
import { visible } from "../output/visible-text.ts";

interface Options extends ApiOptions {
  user?: number;
  update?: UpdateReport["update"];
  previous?: NonNullable<UpdateReport["previous"]>;
  details?: NonNullable<EventInput["details"]>;
  occurredAt?: number;
  idempotencyKey?: string;
  from?: string;
  batchSize: number;
  verbose: boolean;
}

/** Options that describe one event, and mean nothing to many. */
const OF_ONE = ["user", "update", "previous", "details", "occurredAt", "idempotencyKey"] as const;

export const define: Define = (command, context) => {
  command
    .argument("[resource]", "the resource's id")
    .addArgument(new Argument("[event]", "what happened").choices(REPORTED_EVENT_NAMES))
    .option("--user <id>", "the buyer, of a user event", userId)
    .option("--update <json>", "the new file version, of product.update", jsonObject)
    .option("--previous <json>", "the one before (default: the last known)", jsonObject)
    .option("--details <json>", "for chat messages, the log, and webhooks that want it", jsonObject)
    .option("--occurred-at <time>", "Unix seconds, or 2026-01-31T12:00:00Z (default: now)", moment)
    .option("--idempotency-key <key>", "id of the order line (default: made for this call)")
    .option("--from <file>", "many instead: JSON Lines, an event per line; - for standard input")
    .option("--batch-size <number>", "of many, per request", whole(1, 1000), 1000)
    .option("-v, --verbose", "of many, print each line's result, not only what went wrong", false);
  addServerHelp(addApiOptions(command), {
    examples: [
      "markethook emit castle product.user.purchase --user 4711 --idempotency-key line-88213-1",
      `markethook emit castle product.update --update '{"version": "1.1", "id": "u2", "size": 1050000, "fileType": "zip", "title": "Moat", "description": "Now with water."}'`,
      "markethook emit --from events.jsonl",
      "my-export | markethook emit --from - --json",
    ],
    exits: { 1: "of many, some were rejected; the others are stored", 130: null },
    notes: () =>
      [
        "A line of many is an event as the API takes it in batches, for example",
        `  {"resourceId": "castle", "event": "product.user.purchase", "user": {"id": 4711}, "idempotencyKey": "line-88213-1"}`,
        "With an idempotencyKey in each line, the same file can be reported again without harm.",
      ].join("\n"),
  });
  command.action(
    async (
      resource: string | undefined,
      event: ReportedEventName | undefined,
      options: Options,
    ) => {
      if (options.from !== undefined) {
        const needless = OF_ONE.some((name) => options[name] !== undefined);
        if (resource !== undefined || needless) {
          throw usageFailure("With --from, each line is a whole event.", "Leave out the rest.");
        }
        await emitLines(context, connect(context, options), { ...options, file: options.from });
        return;
      }
      if (resource === undefined || event === undefined) {
        throw usageFailure("What happened to which resource?", "Name both, or give --from.");
      }
      await emitOne(context, resource, event, options);
    },
  );
};

async function emitOne(
  context: Context,
  resource: string,
  name: ReportedEventName,
  options: Options,
): Promise<void> {
  const { user, update, previous, details, occurredAt, idempotencyKey } = options;
  const event = given({
    event: name,
    user: user === undefined ? undefined : { id: user },
    update,
    previous,
    details,
    occurredAt: occurredAt === undefined ? undefined : Math.floor(occurredAt / 1000),
  });
  // Whether the options go with the event is for the service to say.
  const report = event as EventInput;
  const { events } = connect(context, options);
  const result = await events.report(resource, report, given({ idempotencyKey }));
  await context.out.result(result, () => {
    const id = visible(result.eventId);
    if (result.status === "duplicate") return `Reported before, as ${id}; nothing is sent twice.`;
    const count = result.deliveries;
    return `Accepted ${id}; it goes to ${count} ${count === 1 ? "webhook" : "webhooks"}.`;
  });
}
