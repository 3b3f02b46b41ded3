import {
  addSecretOption,
  type Context,
  type Define,
  EXIT,
  httpUrl,
  neededSecrets,
  serviceName,
  usageFailure,
  waitingTime,
} from "@markethook/cli";
import { DEFAULT_SERVICE_NAME } from "@markethook/protocol";
import { Option } from "commander";
import { type CheckupShown, checkupText } from "../receivers/checkup-text.ts";
import { checkUrl } from "../receivers/check-url.ts";
import {
  addServerOptions,
  connectFor,
  addServerHelp,
  type ServerOptions,
} from "@markethook/cli/connect";

interface Options extends ServerOptions {
  secret?: readonly string[];
  serviceName: string;
  timeout: number;
  verbose: boolean;
}

export const define: Define = (command, context) => {
  command.argument(
    "<receiver>",
    "its URL, then the requests come from this machine; or wh_…, then the service sends them",
    (text) => (isWebhook(text) ? text : httpUrl(text)),
  );
  addSecretOption(command)
    .option(
      "--service-name <name>",
      "with a URL: in X-{name}-Signature",
      serviceName,
      DEFAULT_SERVICE_NAME,
    )
    .addOption(
      new Option("--timeout <duration>", "with a URL: for each answer")
        .argParser(waitingTime)
        .default(15_000, "15s"),
    )
    .option("-v, --verbose", "show each reply's body", false);
  addServerHelp(addServerOptions(command), {
    examples: [
      "markethook check http://127.0.0.1:4000/ --secret ceI2…",
      "markethook check wh_…",
      "markethook check wh_… --json | jq .verdict",
    ],
    exits: {
      0: "it refuses forged and recorded requests",
      1: "it accepts some of them, or it cannot be told, or it did not accept the genuine ping",
      130: null,
    },
    notes: () =>
      [
        "First a genuine ping; if it is accepted, eleven requests more, one after the other, all of them pings or of an",
        "unknown event, each marked with X-{name}-Checkup. A server must accept two of them and refuse nine. Check only",
        "servers that are yours.",
      ].join("\n"),
  });
  command.action(async (receiver: string, options: Options) => {
    const checkup = isWebhook(receiver)
      ? await connectFor(context, withoutSecret(options)).webhooks.check(receiver)
      : await checkHere(context, receiver, options);
    await context.out.result(checkup, () => checkupText(checkup, context.out, options.verbose));
    if (checkup.verdict !== "refuses_forgeries") context.exitCode = EXIT.no;
  });
};

function isWebhook(receiver: string): boolean {
  return receiver.startsWith("wh_");
}

async function checkHere(
  context: Context,
  url: string,
  { secret, serviceName: name, timeout }: Options,
): Promise<CheckupShown> {
  return await checkUrl({
    url,
    secrets: neededSecrets(context, secret),
    serviceName: name,
    timeoutMs: timeout,
    interrupted: context.interrupt(),
  });
}

/** The service has it. */
function withoutSecret(options: Options): Options {
  if (options.secret === undefined) return options;
  throw usageFailure("--secret goes with a URL; the service knows its webhooks' secrets.");
}
