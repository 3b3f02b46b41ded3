import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { type Client, createClient } from "@markethook/client";
import { type RunningService, startRunningService } from "../running-service.ts";
import { type Ended, runCommand, startCommand } from "./command-process.ts";

/** Those of the file that runs now. */
export let service: RunningService;
export let markethook: ReturnType<typeof commandsOf>;
export let client: Client;
/** For its files. */
export let folder: string;

/** Starts a service before the tests of a file, then prepares what they need, and ends it afterwards. */
export function useCommands(
  settings: Readonly<Record<string, string>> = {},
  prepare: () => Promise<unknown> = async () => undefined,
): void {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "markethook-cli-"));
    service = await startRunningService(settings);
    markethook = commandsOf(service);
    client = createClient({ baseUrl: service.address, apiKey: service.apiKey });
    await prepare();
  });
  after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Runs command lines against a service, with its key in the environment as a user has it. */
function commandsOf({ address, apiKey }: RunningService) {
  const env = { MARKETHOOK_API_URL: address, MARKETHOOK_API_KEY: apiKey };
  const run = (line: string, input?: string): Promise<Ended> =>
    runCommand(words(line), input === undefined ? { env } : { env, input });
  return {
    run,
    start: (line: string) => startCommand(words(line), { env }),
    /** What it prints; it must end with 0. */
    async done(line: string, input?: string): Promise<string> {
      const { code, stdout, stderr } = await run(line, input);
      assert.equal(code, 0, `${line}: ${stderr}`);
      return stdout;
    },
    /** Its JSON document. */
    async json(line: string): Promise<Record<string, unknown>> {
      return JSON.parse(await this.done(`${line} --json`)) as Record<string, unknown>;
    },
  };
}

/** As a shell would, with single quotes only. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
