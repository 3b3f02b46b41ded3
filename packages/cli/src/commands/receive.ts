import { validateHeaderValue } from "node:http";
import { DEFAULT_SERVICE_NAME } from "@markethook/protocol";
import type { RequiredStyle } from "@markethook/receiver";
import { Option } from "commander";
import { addHelp } from "../program/command-help.ts";
import type { Define } from "../program/context.ts";
import { EXIT, usageFailure } from "../program/failure.ts";
import {
  type Header,
  headers,
  serviceName,
  share,
  waitingTime,
  whole,
} from "../options/option-values.ts";
import { arrivalText, arrivalValue } from "../receive/arrival-text.ts";
import { startReceiver } from "../receive/receiver.ts";
import { addSecretOption, givenSecrets } from "../options/secret-option.ts";
import { appendRecording, prepareRecording } from "../recording.ts";
import { visible } from "../output/visible-text.ts";

interface Options {
  port: number;
  host: string;
  secret?: readonly string[];
  serviceName: string;
  require: RequiredStyle;
  status: number;
  delay?: number;
  header?: readonly Header[];
  body: string;
  fail: number;
  failRate: number;
  record?: string;
  verify: boolean;
  count?: number;
  verbose?: boolean;
}

export const define: Define = (command, context) => {
  addSecretOption(
    command
      .option("--port <port>", "to listen on; 0 takes a free one", whole(0, 65_535), 4000)
      .option("--host <address>", "to listen on", "127.0.0.1"),
  )
    .option("--no-verify", "take requests as they are, without a secret")
    .option("--service-name <name>", "in X-{name}-Signature", serviceName, DEFAULT_SERVICE_NAME)
    .addOption(
      new Option(
        "--require <style>",
        "service: X-{name}-Signature alone will do, as for imported secrets",
      )
        .choices(["standard", "service"])
        .default("standard"),
    )
    .option("--status <code>", "to answer with", whole(200, 599), 200)
    .option("--header <header>", "'Name: value' to answer with; several times", headers)
    .option("--body <text>", "to answer with", "")
    .option("--delay <duration>", "to wait before answering, e.g. 2s", waitingTime)
    .option(
      "--fail <count>",
      "answer so many verified requests with 500 at first",
      whole(0, 1_000_000),
      0,
    )
    .option("--fail-rate <share>", "answer this share of requests with 500, e.g. 30%", share, 0)
    .option("--record <file>", "append each request to this file, a JSON line each")
    .option("--count <number>", "end after so many requests", whole(1, 1_000_000))
    .option("-v, --verbose", "show headers and body too");
  addHelp(command, {
    examples: [
      "markethook receive --secret ceI2… --record requests.jsonl",
      "markethook receive --secret ceI2… --fail 3 --delay 2s",
      "markethook receive --no-verify --verbose --count 1",
    ],
    exits: {
      0: "as many requests as --count says came, and all of them verified",
      1: "as many came, and some did not verify",
      2: null,
      130: null,
    },
    notes: () =>
      [
        "Answers: as told above where the request is verified, otherwise 401 or 400.",
        "The service must allow this address: development mode does, others by MARKETHOOK_ALLOW_TARGETS.",
      ].join("\n"),
  });
  command.action(async (options: Options) => {
    const secrets = options.verify ? givenSecrets(context, options.secret) : null;
    if (secrets?.length === 0) {
      throw usageFailure(
        "Without the webhook's secret nothing can be verified.",
        "Give --secret (or MARKETHOOK_WEBHOOK_SECRET), or --no-verify to look at requests only.",
      );
    }
    const { out } = context;
    const { record, verbose = false } = options;
    const { header = [] } = options;
    checkHeaders(header);
    if (record !== undefined) prepareRecording(record);
    const interrupted = context.interrupt();
    let arrivals = 0;
    let refused = 0;
    const { promise: enough, resolve: finish, reject: fail } = Promise.withResolvers<void>();
    const receiver = await startReceiver({
      ...options,
      secrets,
      header,
      delayMs: options.delay ?? 0,
      onArrival(arrival) {
        arrivals += 1;
        if (arrival.verdict?.ok === false) refused += 1;
        try {
          if (record !== undefined) appendRecording(record, arrival.request);
        } catch (error) {
          fail(error);
        }
        out.item(arrivalValue(arrival, verbose), () => arrivalText(arrival, out, verbose));
      },
      onIgnored: (sentence) => out.remark(`${visible(sentence)}.`),
      onAnswered: (number) => number === options.count && finish(),
    });
    out.remark(welcome(receiver.url, secrets !== null, record));
    interrupted.addEventListener("abort", () => finish());
    try {
      await enough;
    } finally {
      await receiver.close();
    }
    out.remark(`${arrivals} ${arrivals === 1 ? "request" : "requests"}, ${refused} not verified.`);
    if (refused > 0) context.exitCode = EXIT.no;
  });
};

function checkHeaders(headers: readonly Header[]): void {
  for (const [name, value] of headers) {
    try {
      validateHeaderValue(name, value);
    } catch {
      throw usageFailure(`The header ${visible(name)} has a value that cannot be sent.`);
    }
  }
}

function welcome(url: string, verifies: boolean, record: string | undefined): string {
  return [
    `Receiving at ${url} — paste this as the webhook's URL; any path will do.`,
    "The service must allow this address: `markethook dev` does; for others see MARKETHOOK_ALLOW_TARGETS.",
    ...(verifies ? [] : ["Nothing is verified: anybody could send these requests."]),
    ...(record === undefined ? [] : [`Recording to ${visible(record)}.`]),
    "Stop with Ctrl-C.",
    "",
  ].join("\n");
}
