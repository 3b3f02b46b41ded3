import { type Client, createClient } from "@markethook/client";
import type { Command } from "commander";
import { addApiOptions, type ApiOptions, readApiOptions } from "./options/api-options.ts";
import { addHelp, type CommandHelp } from "./program/command-help.ts";
import type { Context } from "./program/context.ts";
import { usageFailure } from "./program/failure.ts";

export interface ServerOptions extends ApiOptions {
  owner?: string;
}

/** Parts of the client that can act for one owner. */
type Scope = Pick<
  Client,
  "webhooks" | "secrets" | "deliveries" | "replay" | "sendWaiting" | "notices" | "audit"
> & {
  resources: Pick<Client["resources"], "get" | "list">;
};

/** Somebody is waiting: not as patient as a program. */
const RETRIES = 2;

export function addServerOptions(command: Command): Command {
  return addApiOptions(
    command.option("--owner <id>", "act for this owner: what is others' is absent"),
  );
}

/** Help of a command that asks a service; `exits`: those besides what every such command can end with. */
export function addServerHelp(
  command: Command,
  help: Omit<CommandHelp, "exits"> & Partial<CommandHelp>,
): Command {
  return addHelp(command, {
    ...help,
    exits: { 0: null, 2: null, 3: null, 4: null, ...help.exits },
  });
}

/** @throws a usage failure where there is no key. */
export function connect(context: Context, options: ApiOptions): Client {
  const { url, key } = readApiOptions(context, options);
  return createClient({ baseUrl: url, apiKey: key, retries: RETRIES });
}

export function connectFor(context: Context, options: ServerOptions): Scope {
  if (options.owner === "") {
    throw usageFailure("--owner is empty.", "Look for a variable that is not set.");
  }
  const client = connect(context, options);
  return options.owner === undefined ? client : client.forOwner(options.owner);
}
