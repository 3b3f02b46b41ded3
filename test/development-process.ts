import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { MAIN } from "./built-command.ts";

/** One run of the start script's command, from when it has told its addresses. */
export async function startDevelopmentProcess(env: Record<string, string>) {
  const child = spawnDevelopment(env, "inherit");
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const lines: string[] = [];
  let wake: () => void = () => {};
  if (child.stdout === null) throw new Error("no standard output");
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    wake();
  });
  const printed = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const line = lines.find((one) => pattern.test(one));
      if (line !== undefined) return line;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const curl = (await printed(/^ {2}curl -s /)).trim();
  const [, page = ""] = /^ {2}Open +(\S+)$/.exec(await printed(/^ {2}Open /)) ?? [];
  return {
    curl,
    /** Of the sample resource. */
    page,
    key: /Bearer (\S+)'/.exec(curl)?.[1] ?? "",
    address: /(http:\/\/[^/]+)\/v1/.exec(curl)?.[1] ?? "",
    printed,
    async stop() {
      child.kill("SIGTERM");
      return await exited;
    },
  };
}

/** A run that has to end by itself: with which code, and what it said. */
export async function failedStart(
  env: Record<string, string>,
): Promise<{ code: unknown; said: string }> {
  const child = spawnDevelopment(env, "pipe");
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  // It did not fail.
  child.stdout?.on("data", (chunk: Buffer) => chunk.includes("Stop with Ctrl-C") && child.kill());
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, said };
}

function spawnDevelopment(env: Record<string, string>, stderr: "inherit" | "pipe") {
  return spawn(process.execPath, [MAIN, "dev"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      MARKETHOOK_PORT: "0",
      MARKETHOOK_SAMPLE_PORT: "0",
      MARKETHOOK_SAMPLE_MARKETPLACE_PORT: "0",
      ...env,
    },
    stdio: ["ignore", "pipe", stderr],
  });
}
