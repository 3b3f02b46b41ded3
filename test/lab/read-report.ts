import type { ChildProcess } from "node:child_process";
import type { Report } from "./report.ts";

/** What the campaign printed as its last line. */
export async function readReport(child: ChildProcess): Promise<Report> {
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const line = output.trim().split("\n").at(-1) ?? "";
  if (code !== 0 || !line.startsWith("{")) throw new Error(`the lab ended with ${code}: ${output}`);
  return JSON.parse(line) as Report; // Printed by campaign.ts.
}
