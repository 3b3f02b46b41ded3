import { type Client, createClient } from "@markethook/client";
import type { Command } from "commander";
import { addHelp, type CommandHelp } from "./program/command-help.ts";
import type { Context } from "./program/context.ts";
import { usageFailure } from "./program/failure.ts";
import { COMMAND_SETTINGS } from "./program/host.ts";
import { apiUrl } from "./options/option-values.ts";

const DEFAULT_URL = "http://127.0.0.1:8080";
const API_URL_VARIABLE = COMMAND_SETTINGS.apiUrl.name;
const KEY_VARIABLE = "MARKETHOOK_API_KEY";

export interface ApiOptions {
  api?: string;
  key?: string;
}

/** For commands that talk to a service. */
export function addApiOptions(command: Command): Command {
  return command
    .option("--api <url>", `the service (default: ${API_URL_VARIABLE}, or ${DEFAULT_URL})`, apiUrl)
    .option("--key <key>", `an API key (default: ${KEY_VARIABLE})`);
}

/** @throws a usage failure where there is no key, or the environment's URL is none. */
export function readApiOptions(
  { env }: Pick<Context, "env">,
  options: ApiOptions,
): { url: string; key: string } {
  const key = options.key ?? env[KEY_VARIABLE] ?? "";
  if (key.trim() === "") {
    throw usageFailure(
      "The API key is missing.",
      `Give it with --key, or in ${KEY_VARIABLE}; the service prints its first one when it starts first.`,
    );
  }
  if (/[^\x20-\x7e]/.test(key.trim())) {
    throw usageFailure(
      "The API key has a line break, or a character that is not ASCII.",
      "Was more copied than the key?",
    );
  }
  if (options.api !== undefined) return { url: options.api, key };
  const url = env[API_URL_VARIABLE];
  if (url === undefined || url === "") return { url: DEFAULT_URL, key };
  try {
    return { url: apiUrl(url), key };
  } catch (error) {
    const advice = error instanceof Error ? error.message : "";
    throw usageFailure(`${API_URL_VARIABLE} is invalid.`, advice);
  }
}

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
    command.option("--owner <id>", "act for this owner: other owners' things are absent"),
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
