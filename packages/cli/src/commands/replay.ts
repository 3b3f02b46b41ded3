import type { ReplayRange } from "@markethook/client";
import { given, REPORTED_EVENT_NAMES } from "@markethook/protocol";
import type { Define } from "../program/context.ts";
import { confirm } from "../output/confirm.ts";
import { addServerOptions, connectFor, addServerHelp, type ServerOptions } from "../connect.ts";
import { usageFailure } from "../program/failure.ts";
import { moment, oneOrMore } from "../options/option-values.ts";
import { openProgress } from "../output/progress.ts";
import { visible } from "../output/visible-text.ts";

interface Options extends ServerOptions {
  from: number;
  to: number;
  state?: NonNullable<ReplayRange["states"]>;
  event?: NonNullable<ReplayRange["events"]>;
  missing: boolean;
  outOfOrder: boolean;
  cursor?: string;
  dryRun: boolean;
  yes: boolean;
}

const STATES = ["delivered", "dead", "cancelled"] as const;

export const define: Define = (command, context) => {
  const { out } = context;
  command
    .argument("<webhook>", "wh_…, from `markethook webhooks list`")
    .requiredOption(
      "--from <time>",
      "made at or after; Unix seconds, or 2026-01-31T12:00:00Z",
      moment,
    )
    .requiredOption("--to <time>", "made before", moment)
    .option(
      "--state <state>",
      `that ended so, several times: ${STATES.join(", ")} (default: dead)`,
      oneOrMore(STATES),
    )
    .option(
      "--event <name>",
      `of this event, several times: ${REPORTED_EVENT_NAMES.join(", ")} (default: all)`,
      oneOrMore(REPORTED_EVENT_NAMES),
    )
    .option(
      "--missing",
      "instead of what ended: events of that time that never had a delivery to this webhook",
      false,
    )
    .option(
      "--out-of-order",
      "with --missing: also where a later event about the same buyer was sent",
      false,
    )
    .option("--cursor <cursor>", "go on at the cursor that a stopped replay of this range printed")
    .option("--dry-run", "count only", false)
    .option("-y, --yes", "do not ask", false);
  addServerHelp(addServerOptions(command), {
    examples: [
      "markethook replay wh_… --from 2026-01-31T12:00:00Z --to 2026-01-31T18:00:00Z",
      "markethook replay wh_… --from 1767300000 --to 1767400000 --state delivered --state dead --yes",
      "markethook replay wh_… --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z --missing",
    ],
    exits: { 1: "the question was answered with no", 130: null },
    notes: () =>
      "Counts first, and asks. After a stop, what was sent stays sent; --cursor goes on from there.\nReceivers that deduplicate ignore what they had.",
  });
  command.action(async (webhook: string, options: Options) => {
    const { replay } = connectFor(context, options);
    const range = readRange(options);
    const { missing } = options;
    const { count, capped, outOfOrder = 0 } = await replay.count(webhook, range);
    const deliveries = `${count}${capped ? " or more" : ""}${missing ? " missing" : ""} ${count === 1 ? "delivery" : "deliveries"}`;
    if (outOfOrder > 0 && !options.outOfOrder) {
      out.remark(
        `${outOfOrder} left out: a later event about the same buyer was sent. --out-of-order sends them too.`,
      );
    }
    if (options.dryRun || count === 0) {
      const found = { count, capped, ...(missing ? { outOfOrder } : {}), sent: 0 };
      await out.result(found, () => `${deliveries} in that range.`);
      return;
    }
    const again = missing ? "" : " again";
    const rest = options.cursor === undefined ? "" : "what is left of ";
    await confirm(context, `Send ${rest}${deliveries}${again}?`, options.yes);
    const signal = context.interrupt();
    const progress = openProgress(context, `Sending${again}`, count);
    let sent = 0;
    let cursor = options.cursor ?? null;
    signal.addEventListener("abort", () =>
      progress.end("Stopping after the step that is on its way. Another Ctrl-C ends it at once."),
    );
    try {
      await replay.run(webhook, range, {
        ...(cursor === null ? {} : { cursor }),
        onProgress: (made) => {
          ({ sent, cursor } = made);
          progress.at(sent);
          // Not within a step: nobody would know what it has sent.
          if (cursor !== null) signal.throwIfAborted();
        },
      });
    } catch (error) {
      progress.end(`Stopped after ${sent} of ${visible(deliveries)}; what was sent stays sent.`);
      if (cursor !== null) {
        out.remark(`To go on, and not send that once more, add --cursor ${visible(cursor)}`);
      }
      if (!signal.aborted) throw error;
      return;
    }
    progress.end("All are on their way.");
    await out.result({ count, capped, sent }, () =>
      missing ? `${sent} on their way.` : `${sent} sent again.`,
    );
  });
};

function readRange({ from, to, state, event, missing, outOfOrder }: Options): ReplayRange {
  if (missing && state !== undefined) {
    throw usageFailure("Missing deliveries have no state.", "Leave out --state or --missing.");
  }
  return {
    from: Math.floor(from / 1000),
    to: Math.ceil(to / 1000),
    ...given({ states: state, events: event }),
    ...(missing ? { include: "missing", confirm: outOfOrder } : {}),
  };
}
