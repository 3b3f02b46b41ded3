import { Option } from "commander";
import type { Attempt, Delivery, DeliveryDetail, DeliveryFilter } from "@markethook/client";
import { EVENT_NAMES, given } from "@markethook/protocol";
import type { Define } from "../program/context.ts";
import { addServerHelp, addServerOptions, connectFor, type ServerOptions } from "../connect.ts";
import { addListOptions, type ListOptions, pageSize, printList } from "../output/table.ts";
import { moment, secondsOf, whole } from "../options/option-values.ts";
import type { Output } from "../output/output.ts";
import { type Branch, facts, treeText } from "../output/tree.ts";
import { visible } from "../output/visible-text.ts";
import { exchangeBranches, timingsText } from "../output/exchange-parts.ts";

interface Options extends ServerOptions, ListOptions {
  resource?: string;
  webhook?: string;
  event?: NonNullable<DeliveryFilter["event"]>;
  state?: NonNullable<DeliveryFilter["state"]>;
  status?: Pick<DeliveryFilter, "status" | "statusClass">;
  user?: number;
  search?: string;
  from?: number;
  to?: number;
}

const STATES = ["pending", "waiting", "leased", "held", "delivered", "dead", "cancelled"];
const HEAD = ["id", "made", "event", "user", "resource", "webhook", "state", "attempts", "last"];

export const define: Define = (command, context) => {
  const { out } = context;
  addServerHelp(command.helpCommand(false), {
    examples: ["markethook deliveries list --state dead", "markethook deliveries show dlv_…"],
  });

  const list = command
    .command("list")
    .description("List deliveries, newest first.")
    .option("--resource <id>", "of this resource")
    .option("--webhook <id>", "of this webhook")
    .addOption(new Option("--event <name>", "of this event").choices(EVENT_NAMES))
    .addOption(new Option("--state <state>", "in this state").choices(STATES))
    .option("--status <code>", "whose last answer had this HTTP status, or 5xx", statusOrClass)
    .option("--user <id>", "about this buyer", whole(0, Number.MAX_SAFE_INTEGER))
    .option("--search <text>", "with this in payload, details or a reply; or of this id")
    .option("--from <time>", "made at or after; Unix seconds, or 2026-01-31T12:00:00Z", moment)
    .option("--to <time>", "made before", moment);
  addServerHelp(addListOptions(addServerOptions(list)), {
    examples: [
      "markethook deliveries list --resource castle --state dead",
      "markethook deliveries list --search 88213 --from 2026-01-31T12:00:00Z",
      "markethook deliveries list --webhook wh_… --from 2026-01-31T12:00:00Z --all --json",
    ],
  });
  list.action(async (options: Options) => {
    const deliveries = connectFor(context, options).deliveries.list(readFilter(options), {
      pageSize: pageSize(options),
    });
    await printList(context, deliveries, options, HEAD, row);
  });

  const show = command
    .command("show")
    .description("Show a delivery with its attempts: the exact requests, and what came back.")
    .argument("<id>", "dlv_…, from `markethook deliveries list`");
  addServerHelp(addServerOptions(show), { examples: ["markethook deliveries show dlv_…"] });
  show.action(async (id: string, options: ServerOptions) => {
    const delivery = await connectFor(context, options).deliveries.get(id);
    await out.result(delivery, () => deliveryText(delivery, out));
  });
};

/** "500", or "5xx" for all statuses that begin so. */
function statusOrClass(text: string): Pick<DeliveryFilter, "status" | "statusClass"> {
  const [, digit] = /^([1-5])xx$/i.exec(text) ?? [];
  return digit === undefined ? { status: whole(100, 599)(text) } : { statusClass: Number(digit) };
}

function readFilter(options: Options): DeliveryFilter {
  const { resource, webhook, event, state, status, user, search } = options;
  const plain = { resourceId: resource, webhookId: webhook, event, state, userId: user, search };
  return given({ ...plain, ...status, ...secondsOf(options) });
}

function row(delivery: Delivery): string[] {
  const { id, createdAt, event, userId, resourceId, webhookId, state, attempts } = delivery;
  const { lastOutcome, lastStatus } = delivery;
  const last = lastOutcome === null ? "-" : `${lastStatus ?? ""} ${lastOutcome}`.trim();
  const user = userId === null ? "-" : String(userId);
  return [id, createdAt, event, user, resourceId, webhookId, state, String(attempts), last];
}

/** A delivery as a tree: what it is, and each attempt with its request and answer. */
function deliveryText(delivery: DeliveryDetail, out: Output): string {
  const { id, event, state, reason, origin, attemptList, next } = delivery;
  const colour = state === "delivered" ? "green" : state === "dead" ? "red" : "yellow";
  const why = reason === null ? "" : ` (${visible(reason)})`;
  const ended = delivery.endedAt === null ? "" : `, ended ${delivery.endedAt}`;
  const user = delivery.userId === null ? "" : `, about user ${delivery.userId}`;
  const earlier = (attemptList[0]?.number ?? 1) - 1;
  const at = next === null || next.at === null ? "" : `${next.at}. `;
  return treeText({
    text: `${out.style("bold", visible(id))}  ${visible(event)}  ${out.style(colour, state)}${why}`,
    branches: [
      ...facts(9, {
        event: `${visible(delivery.eventId)} of ${new Date(delivery.time * 1000).toISOString()}${user}`,
        webhook: `${visible(delivery.webhookId)} of ${visible(delivery.resourceId)}`,
        made: `${delivery.createdAt}, ${origin === "event" ? "by the event" : `as a ${origin}`}${ended}`,
        details: delivery.details === null ? null : visible(JSON.stringify(delivery.details)),
        "…": earlier > 0 ? `${earlier} earlier, not shown` : null,
      }),
      ...attemptList.map((attempt) => attemptBranch(attempt, out)),
      ...facts(9, { next: next === null ? null : `${at}${visible(next.reason)}` }),
    ],
  });
}

function attemptBranch(attempt: Attempt, out: Output): Branch {
  const { number, at, outcome, status, timings, operatorDetail } = attempt;
  const word = out.style(outcome === "ok" ? "green" : "red", visible(outcome));
  const answered = status === null ? word : `${status} ${word}`;
  const took = timings === null ? "" : `, ${timingsText(timings)}`;
  return {
    text: `attempt ${number}  ${at}  ${answered}${took}`,
    branches: [
      ...(attempt.fault === undefined ? [] : [{ text: visible(attempt.fault) }]),
      ...(attempt.warnings ?? []).map((warning) => ({ text: visible(warning) })),
      ...(operatorDetail === undefined ? [] : [{ text: visible(operatorDetail) }]),
      ...exchangeBranches(attempt, out),
    ],
  };
}
