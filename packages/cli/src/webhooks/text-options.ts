import { WEBHOOK_TEXTS, type WebhookTexts } from "@markethook/protocol";
import type { Command } from "commander";

/** Each text is an option of its own name; the value is the option's help. */
const TEXT_HELP: Readonly<Record<keyof WebhookTexts, string>> = { description: "for people" };

export const TEXT_OPTIONS: readonly string[] = WEBHOOK_TEXTS.map((name) => `--${name}`);

export function addTextOptions(command: Command): Command {
  for (const name of WEBHOOK_TEXTS) command.option(`--${name} <text>`, TEXT_HELP[name]);
  return command;
}
