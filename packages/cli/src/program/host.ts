import type { Readable, Writable } from "node:stream";

/** The process as a command sees it. Commands use nothing else of it, so tests can run them as functions. */
export interface Host {
  env: Readonly<Record<string, string | undefined>>;
  /** Of the command, as `--version` prints it. */
  version: string;
  /** Without interpreter and script. */
  argv: readonly string[];
  /** Opened when first asked for: a service never reads it. */
  stdin(): Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  /**
   * Aborted by the first Ctrl-C or SIGTERM. A command that takes it ends soon after. One that never does is ended at once,
   * and so is any by a second signal, a second or more after the first.
   */
  interrupt(): AbortSignal;
  /** Monotonic milliseconds, for progress. */
  now(): number;
}

/** Variables that only commands next to the service read. The service must not take them for misspelt settings. */
export const COMMAND_SETTINGS = {
  apiUrl: {
    name: "MARKETHOOK_API_URL",
    sentence: "Where commands that talk to a service find it; `--api` comes first.",
  },
  webhookSecret: {
    name: "MARKETHOOK_WEBHOOK_SECRET",
    sentence: "The webhook's secret for `receive`, `trigger` and `verify`; `--secret` comes first.",
  },
} as const;
