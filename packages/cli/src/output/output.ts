import type { Writable } from "node:stream";
import { styleText } from "node:util";
import type { Host } from "../program/host.ts";
import { visibleJson } from "./visible-text.ts";

export type Output = ReturnType<typeof createOutput>;

/**
 * The output of a command. Results go to standard output: readable, or with `--json` one JSON document, or a JSON line
 * per item of a stream. Remarks and progress go to standard error, so that a pipe carries results only. Text that
 * comes from users and receivers passes `visible()` before it gets here. `json` is asked at each use: the frame knows
 * it only after the arguments are parsed.
 */
export function createOutput(host: Pick<Host, "env" | "stdout" | "stderr">, json: () => boolean) {
  return {
    get json(): boolean {
      return json();
    },
    /** The command's one result. */
    async result(value: unknown, readable: () => string | Promise<string>): Promise<void> {
      if (json()) host.stdout.write(`${visibleJson(value, 2)}\n`);
      else host.stdout.write(withLineEnd(await readable()));
    },
    /** One item of a stream of results. */
    item(value: unknown, readable: () => string): void {
      host.stdout.write(json() ? `${visibleJson(value)}\n` : withLineEnd(readable()));
    },
    /** A remark; never part of the result. */
    remark: (text: string) => void host.stderr.write(withLineEnd(text)),
    /** For standard output. Plain where colour is not wanted. */
    style: (format: Parameters<typeof styleText>[0], text: string): string =>
      wantsColour(host.env, host.stdout)
        ? styleText(format, text, { validateStream: false })
        : text,
  };
}

/** NO_COLOR and FORCE_COLOR as they are usually meant: set to anything but nothing; `FORCE_COLOR=0` says no. */
export function wantsColour(env: Host["env"], stream: Writable & { isTTY?: boolean }): boolean {
  if (isSet(env["NO_COLOR"])) return false;
  const forced = env["FORCE_COLOR"];
  if (isSet(forced)) return forced !== "0" && forced !== "false";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== "";
}

function withLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
