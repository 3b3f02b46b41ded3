import type { Command } from "commander";
import { COMMAND_SETTINGS } from "../program/host.ts";
import type { Context } from "../program/context.ts";
import { usageFailure } from "../program/failure.ts";
import { several } from "./option-values.ts";

/** A secret in the environment stays out of the shell's history and of the list of processes. */
const VARIABLE = COMMAND_SETTINGS.webhookSecret.name;

export function addSecretOption(command: Command): Command {
  return command.option(
    "--secret <secret>",
    `the webhook's secret; several times during a rotation (default: ${VARIABLE})`,
    several,
  );
}

export function givenSecrets(context: Context, given: readonly string[] | undefined): string[] {
  const inherited = context.env[VARIABLE];
  const secrets = given ?? (inherited === undefined || inherited === "" ? [] : [inherited]);
  if (secrets.some((secret) => secret.trim() === "")) {
    throw usageFailure("A secret is empty.", "Look for a variable that is not set.");
  }
  return [...secrets];
}

export function neededSecrets(context: Context, given: readonly string[] | undefined): string[] {
  const secrets = givenSecrets(context, given);
  if (secrets.length === 0) {
    throw usageFailure(
      "The webhook's secret is missing.",
      `Give it with --secret, or in ${VARIABLE}.`,
    );
  }
  return secrets;
}
