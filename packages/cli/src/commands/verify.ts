import { readFileSync } from "node:fs";
import { DEFAULT_SERVICE_NAME, headerNames } from "@markethook/protocol";
import { Option } from "commander";
import { addHelp } from "../program/command-help.ts";
import type { Context, Define } from "../program/context.ts";
import { EXIT, usageFailure } from "../program/failure.ts";
import { duration, type Header, headers, moment, serviceName } from "../options/option-values.ts";
import { readBody, type RecordedRequest } from "../recording.ts";
import { addSecretOption, neededSecrets } from "../options/secret-option.ts";
import { FORMS, type Form, readHeaderLines, readRequests } from "../verify/read-requests.ts";
import { verdictText, verdictValue } from "../verify/verdict-text.ts";
import { verifyEachSignature } from "../verify-each-signature.ts";

interface Options {
  secret?: readonly string[];
  header?: readonly Header[];
  headers?: string;
  signature?: string;
  serviceName: string;
  format: Form | "auto";
  explain?: boolean;
  now?: number;
  tolerance: number;
}

const LARGEST_INPUT = 64 * 1024 * 1024;

export const define: Define = (command, context) => {
  command.argument(
    "[file]",
    "the body, a recording, or a whole request; - or nothing: standard input",
  );
  addSecretOption(command)
    .option("--header <header>", "'Name: value' that came with the body; several times", headers)
    .option("--headers <file>", "holds the headers that came with the body, a line each")
    .option("--signature <hex>", "what X-{name}-Signature said")
    .option("--service-name <name>", "in X-{name}-Signature", serviceName, DEFAULT_SERVICE_NAME)
    .addOption(
      new Option("--format <form>", "what the input is; auto looks at it")
        .choices(["auto", ...FORMS])
        .default("auto"),
    )
    .option("--explain", "name the likely cause where it does not verify")
    .option(
      "--now <time>",
      "judge as of then: Unix seconds, or an ISO date (default: now, or when it was recorded)",
      moment,
    )
    .addOption(
      new Option("--tolerance <duration>", "how far webhook-timestamp may be off")
        .argParser(duration)
        .default(300_000, "5m"),
    );
  addHelp(command, {
    examples: [
      "markethook verify body.json --secret ceI2… --signature 5f2d… --explain",
      "markethook verify requests.jsonl --secret ceI2…",
      "pbpaste | markethook verify --format request --secret ceI2… --explain",
    ],
    exits: { 0: "every request verifies", 1: "one does not", 2: null, 130: null },
    notes: () =>
      [
        "The input is the raw body, together with its headers; or a file of `receive --record`; or a whole request",
        "as text: request line, headers, an empty line, body.",
      ].join("\n"),
  });
  command.action(async (file: string | undefined, options: Options) => {
    const secrets = neededSecrets(context, options.secret);
    const { requests, remark } = readRequests(
      await readInput(context, file),
      options.format,
      extraHeaders(options),
    );
    if (remark !== null) context.out.remark(remark);
    const verdicts = requests.map((request) => judge(request, secrets, options));
    for (const [index, verdict] of verdicts.entries()) {
      const number = verdicts.length === 1 ? null : index + 1;
      context.out.item(verdictValue(verdict), () =>
        verdictText(verdict, number, context.out, options.explain === true),
      );
    }
    if (verdicts.some(({ ok }) => !ok)) context.exitCode = EXIT.no;
  });
};

function judge(request: RecordedRequest, secrets: readonly string[], options: Options) {
  const now = options.now ?? request.receivedAt;
  return verifyEachSignature(request.body, request.headers, secrets, {
    serviceName: options.serviceName,
    toleranceSeconds: options.tolerance / 1000,
    now: () => now,
    explain: options.explain === true,
  });
}

function extraHeaders(options: Options): Header[] {
  const extra = [...(options.header ?? [])];
  if (options.headers !== undefined) {
    extra.push(...readHeaderLines(readFileSync(options.headers, "utf8"), options.headers));
  }
  if (options.signature !== undefined) {
    extra.push([headerNames(options.serviceName).signature, options.signature]);
  }
  return extra;
}

async function readInput(context: Context, file: string | undefined): Promise<Buffer> {
  if (file !== undefined && file !== "-") return readFileSync(file);
  const stdin = context.stdin();
  if (stdin.isTTY === true) context.out.remark("Reading standard input; end it with Ctrl-D.");
  const input = await readBody(stdin, LARGEST_INPUT);
  if (input === null) throw usageFailure("Standard input is longer than 64 MiB.");
  return input;
}
