import type { PingResult } from "@markethook/client";
import { given, REPORTED_EVENT_NAMES, type ReportedEventName } from "@markethook/protocol";
import { Option } from "commander";
import { EXIT, usageFailure } from "../program/failure.ts";
import { userId } from "../options/option-values.ts";
import type { Define } from "../program/context.ts";
import { addServerOptions, connectFor, addServerHelp, type ServerOptions } from "../connect.ts";
import { exchangeBranches, timingsText, unacceptedBranches } from "../output/exchange-parts.ts";
import type { Output } from "../output/output.ts";
import { facts, treeText } from "../output/tree.ts";
import { visible } from "../output/visible-text.ts";

interface Options extends ServerOptions {
  next: boolean;
  sample?: ReportedEventName;
  user?: number;
  verbose: boolean;
}

export const define: Define = (command, context) => {
  const { out } = context;
  command
    .argument("<webhook>", "wh_…, from `markethook webhooks list`")
    .option("--next", "sign with the secret that is being rotated in", false)
    .addOption(
      new Option("--sample <event>", "an event that did not happen, in place of the ping").choices([
        ...REPORTED_EVENT_NAMES,
      ]),
    )
    .option("--user <id>", "with --sample: the buyer; take your own id", userId)
    .option("-v, --verbose", "show the exact request and answer too", false);
  addServerHelp(addServerOptions(command), {
    examples: [
      "markethook ping wh_…",
      "markethook ping wh_… --next --verbose",
      "markethook ping wh_… --sample product.user.purchase --user 4711",
    ],
    exits: { 1: "the receiver did not answer with a 2xx" },
    notes: () =>
      [
        "One request, now, also to paused and disabled webhooks; it is never retried.",
        "A receiver may act on a sample: it is signed as a real event is. Its header X-{name}-Sample tells it.",
      ].join("\n"),
  });
  command.action(async (webhook: string, options: Options) => {
    const { webhooks } = connectFor(context, options);
    const { sample, user, next } = options;
    if (sample === undefined && user !== undefined)
      throw usageFailure("--user goes with --sample.");
    if (sample !== undefined && next) throw usageFailure("--next goes with a ping.");
    const result =
      sample === undefined
        ? await webhooks.ping(webhook, { secret: next ? "next" : "current" })
        : await webhooks.sendSample(webhook, given({ event: sample, userId: user }));
    await out.result(result, () => pingText(result, out, options.verbose, sample === undefined));
    if (result.outcome !== "ok") context.exitCode = EXIT.no;
  });
};

const LIKE_REFUSAL = "(reads like a refusal, but a 2xx counts as accepted: refuse with 401)";

function pingText(result: PingResult, out: Output, verbose: boolean, logged: boolean): string {
  const { outcome, status, sentence, timings, deliveryId, request, refusal } = result;
  const colour = outcome !== "ok" ? "red" : refusal === undefined ? "green" : "yellow";
  const word = out.style(colour, `${status ?? outcome}`);
  return treeText({
    text: `${word}  ${visible(sentence)}`,
    branches: [
      ...(outcome === "ok" ? [] : unacceptedBranches(result)),
      ...facts(9, {
        replied: refusal === undefined ? null : `${visible(refusal)}  ${LIKE_REFUSAL}`,
        to: visible(request.url),
        took: timings === null ? null : timingsText(timings),
        log: logged ? `markethook deliveries show ${visible(deliveryId)}` : null,
      }),
      ...(verbose ? exchangeBranches(result, out) : []),
    ],
  });
}
