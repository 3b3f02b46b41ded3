import type { Command } from "commander";
import { COMMAND_SETTINGS } from "../program/host.ts";
import type { Context } from "../program/context.ts";
import { usageFailure } from "../program/failure.ts";
import { httpUrl } from "./option-values.ts";

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
    .option("--api <url>", `the service (default: ${API_URL_VARIABLE}, or ${DEFAULT_URL})`, httpUrl)
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
    return { url: httpUrl(url), key };
  } catch {
    throw usageFailure(
      `${API_URL_VARIABLE} is not a URL.`,
      "Write it whole, with http:// or https://.",
    );
  }
}
