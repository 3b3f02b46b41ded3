import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Context } from "../program/context.ts";
import type { Host } from "../program/host.ts";
import { EXIT, type ExitCode } from "../program/failure.ts";
import { createOutput } from "../output/output.ts";
import type { ListedCommand } from "../program/command-list.ts";
import { runProgram } from "../program/program.ts";

interface TestHost extends Host {
  stdout: PassThrough & { isTTY?: boolean };
  stderr: PassThrough & { isTTY?: boolean };
}

/** A process that is none: what is written can be read afterwards. */
export function testHost(
  argv: readonly string[],
  given: { env?: Record<string, string>; stdin?: string | Buffer } = {},
): TestHost {
  return {
    env: given.env ?? {},
    version: "0.0.0",
    argv,
    stdin: () => Readable.from([Buffer.from(given.stdin ?? "")]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    interrupt: () => new AbortController().signal,
    // It stands still: no progress is due, however slow the machine is.
    now: () => 0,
  };
}

export function testContext(host: TestHost, json = false): Context {
  return { ...host, exitCode: EXIT.done, out: createOutput(host, () => json) };
}

export interface Said {
  code: ExitCode;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process. */
export async function run(
  argv: readonly string[],
  given?: { env?: Record<string, string>; stdin?: string | Buffer },
  ofService: readonly ListedCommand[] = [],
): Promise<Said> {
  const host = testHost(argv, given);
  const code = await runProgram(host, ofService);
  return { code, ...(await said(host)) };
}

export async function said(host: TestHost): Promise<{ stdout: string; stderr: string }> {
  host.stdout.end();
  host.stderr.end();
  return { stdout: await text(host.stdout), stderr: await text(host.stderr) };
}
