import type { PingResult } from "@markethook/client";
import { addHelp } from "../command-help.ts";
import type { Define } from "../define.ts";
import { addServerOptions, connectFor, SERVER_EXITS, type ServerOptions } from "../connect.ts";
import { exchangeBranches, timingsText } from "../exchange/exchange-branches.ts";
import { EXIT } from "../exit-codes.ts";
import type { Output } from "../output.ts";
import { treeText } from "../tree.ts";
import { visible } from "../visible-text.ts";

interface Options extends ServerOptions {
  next: boolean;
  verbose: boolean;
}

export const define: Define = (command, context) => {
  const { out } = context;
  command
    .argument("<webhook>", "wh_…, from `markethook webhooks list`")
    .option("--next", "sign with the secret that is being rotated in", false)
    .option("-v, --verbose", "show the exact request and answer too", false);
  addHelp(addServerOptions(command), {
    examples: ["markethook ping wh_…", "markethook ping wh_… --next --verbose"],
    exits: { ...SERVER_EXITS, 1: "the receiver did not answer with a 2xx" },
    notes: () => "One request, now, also to paused and disabled webhooks; it is never retried.",
  });
  command.action(async (webhook: string, options: Options) => {
    const result = await connectFor(context, options).webhooks.ping(webhook, {
      secret: options.next ? "next" : "current",
    });
    await out.result(result, () => pingText(result, out, options.verbose));
    if (result.outcome !== "ok") context.exitCode = EXIT.no;
  });
};

const LIKE_REFUSAL = "(reads like a refusal, but a 2xx counts as accepted: refuse with 401)";

function pingText(result: PingResult, out: Output, verbose: boolean): string {
  const { outcome, status, sentence, timings, deliveryId, request, refusal } = result;
  const colour = outcome !== "ok" ? "red" : refusal === undefined ? "green" : "yellow";
  const word = out.style(colour, `${status ?? outcome}`);
  return treeText({
    text: `${word}  ${visible(sentence)}`,
    branches: [
      ...(refusal === undefined ? [] : [{ text: `replied  ${visible(refusal)}  ${LIKE_REFUSAL}` }]),
      { text: `to       ${visible(request.url)}` },
      ...(timings === null ? [] : [{ text: `took     ${timingsText(timings)}` }]),
      { text: `log      markethook deliveries show ${visible(deliveryId)}` },
      ...(verbose ? exchangeBranches(result, out) : []),
    ],
  });
}
