import { DEFAULT_SERVICE_NAME, EVENT_NAMES, type EventName } from "@markethook/protocol";
import { Argument, Option } from "commander";
import { addHelp } from "../program/command-help.ts";
import type { Context, Define } from "../program/context.ts";
import { EXIT, usageFailure } from "../program/failure.ts";
import { httpUrl, serviceName, several, waitingTime, whole } from "../options/option-values.ts";
import { readRecordings } from "../recording.ts";
import { addSecretOption, neededSecrets } from "../options/secret-option.ts";
import {
  curlText,
  exchangeText,
  exchangeValue,
  rawRequest,
  requestValue,
} from "../trigger/exchange-text.ts";
import { isSuccess, send, type TriggeredRequest } from "../trigger/send.ts";
import { sampleRequest } from "../trigger/sample-request.ts";
import { recordedRequest, resignedRequest } from "../trigger/recorded-request.ts";
import { visible } from "../output/visible-text.ts";

interface Options {
  to: string;
  secret?: readonly string[];
  serviceName: string;
  resourceId: string;
  set?: readonly string[];
  count: number;
  recorded?: string;
  resign?: boolean;
  timeout: number;
  dryRun?: "curl" | "raw";
  verbose?: boolean;
}

export const define: Define = (command, context) => {
  command
    .addArgument(
      new Argument("[event]", "which event to make a sample of").choices([...EVENT_NAMES]),
    )
    .requiredOption("--to <url>", "the receiver's URL", httpUrl);
  addSecretOption(command)
    .option("--service-name <name>", "in X-{name}-Signature", serviceName, DEFAULT_SERVICE_NAME)
    .option("--resource-id <id>", "of the sample's resource", "better-farms")
    .option(
      "--set <path=value>",
      "change a member of the payload, e.g. user.id=42, or of the envelope: time, nonce, event; several times",
      several,
    )
    .option("--count <number>", "send so many, each an event of its own", whole(1, 100_000), 1)
    .option("--recorded <file>", "send the requests of this file instead, as they are")
    .option("--resign", "with --recorded: sign them again, with the secret and the time of now")
    .addOption(
      new Option("--timeout <duration>", "from dialling to the answer's last byte")
        .argParser(waitingTime)
        .default(15_000, "15s"),
    )
    .addOption(
      new Option("--dry-run [form]", "print the request instead of sending it")
        .choices(["curl", "raw"])
        .preset("curl"),
    )
    .option("-v, --verbose", "show headers and bodies also where several are sent");
  addHelp(command, {
    examples: [
      "markethook trigger product.user.purchase --to http://127.0.0.1:4000/ --secret ceI2… --set user.id=42",
      "markethook trigger ping --to https://bot.example/hooks --secret ceI2… --dry-run",
      "markethook trigger --recorded requests.jsonl --resign --to http://127.0.0.1:4000/ --secret ceI2…",
    ],
    exits: {
      0: "every request was answered with 2xx, or printed",
      1: "one was answered otherwise, or not at all",
      2: null,
      130: null,
    },
    notes: () =>
      "Requests are made and signed by the functions that the service uses. Redirects are not followed.",
  });
  command.action(async (event: EventName | undefined, options: Options) => {
    const requests = requestsFor(context, event, options);
    if (options.dryRun !== undefined) {
      await print(context, requests, options.dryRun);
      return;
    }
    const details = requests.length === 1 || options.verbose === true;
    const interrupted = context.interrupt();
    let delivered = 0;
    for (const request of requests) {
      const answer = await send(request, options.timeout, interrupted);
      if (interrupted.aborted) break;
      if (isSuccess(answer)) delivered += 1;
      context.out.item(exchangeValue(request, answer), () =>
        exchangeText(request, answer, context.out, details),
      );
    }
    if (requests.length > 1) {
      context.out.remark(`${delivered} of ${requests.length} were answered with 2xx.`);
    }
    if (delivered < requests.length) context.exitCode = EXIT.no;
  });
};

function requestsFor(
  context: Context,
  event: EventName | undefined,
  options: Options,
): TriggeredRequest[] {
  const { recorded, resign = false, to: url, set = [] } = options;
  if (recorded === undefined) {
    if (event === undefined) {
      throw usageFailure(
        "Which event?",
        `Name one of ${EVENT_NAMES.join(", ")}, or give --recorded.`,
      );
    }
    if (resign) throw usageFailure("--resign goes with --recorded.");
    const secrets = neededSecrets(context, options.secret);
    return Array.from({ length: options.count }, (_, index) => {
      const { request, remark } = sampleRequest({
        ...options,
        version: context.version,
        set,
        event,
        url,
        secrets,
        index,
      });
      if (remark !== null && index === 0) context.out.remark(visible(remark));
      return request;
    });
  }
  if (event !== undefined || set.length > 0 || options.count > 1) {
    throw usageFailure("A recorded request is sent as it is: no event, --set or --count with it.");
  }
  const requests = readRecordings(recorded);
  if (!resign) return requests.map((request) => recordedRequest(request, url));
  const secrets = neededSecrets(context, options.secret);
  return requests.map((request) => resignedRequest(request, url, secrets, options.serviceName));
}

async function print(
  { out, stdout }: Context,
  requests: readonly TriggeredRequest[],
  form: "curl" | "raw",
): Promise<void> {
  for (const request of requests) {
    if (out.json) out.item(requestValue(request), () => "");
    else if (form === "curl") out.item(null, () => curlText(request));
    // The exact bytes, unless they could steer a terminal.
    else if (stdout.isTTY === true) out.item(null, () => rawRequest(request).toString());
    else stdout.write(rawRequest(request));
  }
}
