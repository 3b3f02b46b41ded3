import type { Command } from "commander";
import type { Context } from "./context.ts";

/** What a command's file exports: it gives the command its options, help, and action or subcommands. */
export type Define = (command: Command, context: Context) => void;
