import assert from "node:assert/strict";
import type { RunningService } from "../running-service.ts";
import { type Ended, runCommand, startCommand } from "./command-process.ts";

/** Runs command lines against a service, with its key in the environment as a user has it. */
export function commandsOf(service: RunningService) {
  const env = { MARKETHOOK_API_URL: service.address, MARKETHOOK_API_KEY: service.apiKey };
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
