import type { Command } from "commander";
import type { ExitCode } from "./failure.ts";
import type { Host } from "./host.ts";
import type { Output } from "../output/output.ts";

export interface Context extends Host {
  out: Output;
  /** Set by a command that ran to its end without being able to say yes. */
  exitCode: ExitCode;
}

/** The export of a command's file. Gives the command its options, help, and action or subcommands. */
export type Define = (command: Command, context: Context) => void;
