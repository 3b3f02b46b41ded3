import type { RotateInput } from "@markethook/client";
import { given } from "@markethook/protocol";
import type { Command } from "commander";
import { addServerOptions, connectFor, addServerHelp, type ServerOptions } from "../connect.ts";
import type { Context } from "../program/context.ts";
import { usageFailure } from "../program/failure.ts";
import { duration } from "../options/option-values.ts";
import { visible } from "../output/visible-text.ts";
import { webhookText } from "./webhook-text.ts";

interface RotateOptions extends ServerOptions {
  leaked: boolean;
  overlap?: number;
  untilSwitched: boolean;
  importSecret?: string;
  showSecret: boolean;
}

/** Reveal, rotate, switch: the commands about the secret and the whole URL of `markethook webhooks`. */
export function addSecretCommands(command: Command, context: Context): void {
  const { out } = context;

  const secret = command
    .command("secret")
    .description("Print a webhook's secret, and the new one while it is being rotated.")
    .argument(ID, ID_HELP);
  addServerHelp(addServerOptions(secret), {
    examples: ["markethook webhooks secret wh_…"],
    notes: () => "Needs a key with the scope secrets:read.",
  });
  secret.action(async (id: string, options: ServerOptions) => {
    const secrets = await connectFor(context, options).secrets.reveal(id);
    await out.result(secrets, () =>
      secrets.next === null ? secrets.current : `${secrets.current}\nnext ${secrets.next}`,
    );
  });

  const url = command
    .command("url")
    .description("Print a webhook's whole URL, of which the others show the host only.")
    .argument(ID, ID_HELP);
  addServerHelp(addServerOptions(url), {
    examples: ["markethook webhooks url wh_…"],
    notes: () => "Needs a key with the scope secrets:read.",
  });
  url.action(async (id: string, options: ServerOptions) => {
    const whole = await connectFor(context, options).secrets.revealUrl(id);
    await out.result({ url: whole }, () => visible(whole));
  });

  const rotate = command
    .command("rotate")
    .description("Give a webhook a new secret; for a day both sign, unless told otherwise.")
    .argument(ID, ID_HELP)
    .option("--leaked", "the old one has leaked: it ends now", false)
    .option("--overlap <duration>", "both sign for this long, 0s to 7d", duration)
    .option("--until-switched", "both sign until `markethook webhooks switch`", false)
    .option("--import-secret <secret>", "use this one instead of a new one")
    .option("--show-secret", "print the new secret", false);
  addServerHelp(addServerOptions(rotate), {
    examples: [
      "markethook webhooks rotate wh_… --until-switched --show-secret",
      "markethook webhooks rotate wh_… --leaked --show-secret",
    ],
  });
  rotate.action(async (id: string, options: RotateOptions) => {
    const rotation = readRotation(options);
    const made = await connectFor(context, options).secrets.rotate(id, rotation);
    await out.result(withoutSecret(made, options.showSecret), () =>
      [webhookText(made.webhook, out), ...secretLine(id, made.secret, options.showSecret)].join(
        "\n",
      ),
    );
  });

  const ends = [
    ["switch", "switch", "End an open rotation: the new secret alone signs from now on."],
    ["cancel-rotation", "cancelRotation", "End an open rotation: the old secret stays."],
  ] as const;
  for (const [name, method, description] of ends) {
    const end = command.command(name).description(description).argument(ID, ID_HELP);
    addServerHelp(addServerOptions(end), { examples: [`markethook webhooks ${name} wh_…`] });
    end.action(async (id: string, options: ServerOptions) => {
      const webhook = await connectFor(context, options).secrets[method](id);
      await out.result(webhook, () => webhookText(webhook, out));
    });
  }
}

function readRotation(options: RotateOptions): RotateInput {
  const { leaked, overlap, untilSwitched, importSecret } = options;
  if ([leaked, overlap !== undefined, untilSwitched].filter(Boolean).length > 1) {
    throw usageFailure(
      "Only one can say when the old secret ends.",
      "Give --leaked, --overlap or --until-switched.",
    );
  }
  return {
    ...(leaked ? { mode: "switch_now" } : {}),
    ...(untilSwitched ? { overlapSeconds: null } : {}),
    ...(overlap === undefined ? {} : { overlapSeconds: Math.round(overlap / 1000) }),
    ...given({ secret: importSecret }),
  };
}

/** The argument that every command about one webhook has. */
export const ID = "<id>";
export const ID_HELP = "wh_…, from `markethook webhooks list`";

/** A secret in a terminal is a secret in its scroll-back: it is printed only when it was asked for. */
export function secretLine(
  webhookId: string,
  secret: string | null | undefined,
  show: boolean,
): string[] {
  // A chat's webhook has none.
  if (secret === null || secret === undefined) return [];
  return [
    show
      ? `secret ${secret}`
      : `The secret is not shown: \`markethook webhooks secret ${webhookId}\` prints it.`,
  ];
}

export function withoutSecret<T extends object>(value: T, show: boolean): Partial<T> {
  if (show) return value;
  const { secret: _secret, ...rest } = value as T & { secret?: string };
  // Only the one member is gone.
  return rest as Partial<T>;
}
