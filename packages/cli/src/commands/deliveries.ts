import type { Delivery, DeliveryFilter } from "@markethook/client";
import { EVENT_NAMES, given } from "@markethook/protocol";
import { Option } from "commander";
import type { Define } from "../program/context.ts";
import { addServerOptions, connectFor, addServerHelp, type ServerOptions } from "../connect.ts";
import { deliveryText } from "../exchange/delivery-text.ts";
import { addListOptions, type ListOptions, pageSize, printList } from "../output/list-output.ts";
import { moment, secondsOf, whole } from "../options/option-values.ts";

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
