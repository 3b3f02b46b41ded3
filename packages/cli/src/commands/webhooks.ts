import type { CopyResult, Webhook, WebhookInput } from "@markethook/client";
import { given } from "@markethook/protocol";
import type { Define } from "../program/context.ts";
import { confirm } from "../output/confirm.ts";
import { addServerOptions, connectFor, addServerHelp, type ServerOptions } from "../connect.ts";
import { EXIT, usageFailure } from "../program/failure.ts";
import { addListOptions, type ListOptions, pageSize, printList } from "../output/table.ts";
import { jsonFile } from "../options/json-options.ts";
import { httpUrl } from "../options/option-values.ts";
import { visible } from "../output/visible-text.ts";
import { addFieldOptions, type FieldOptions, fieldsOf } from "../webhooks/field-options.ts";
import {
  addSecretCommands,
  ID,
  ID_HELP,
  secretLine,
  withoutSecret,
} from "../webhooks/secret-commands.ts";
import { webhookRow, webhookText, WEBHOOK_HEAD } from "../webhooks/webhook-text.ts";

interface WriteOptions extends ServerOptions, FieldOptions {
  url?: string;
  chat?: NonNullable<WebhookInput["chat"]>;
}

interface AddOptions extends WriteOptions {
  url: string;
  importSecret?: string;
  showSecret: boolean;
}

const CHAT_HELP = "messages of a chat's webhook: a JSON file as the API takes `chat`";

export const define: Define = (command, context) => {
  const { out } = context;
  addServerHelp(command.helpCommand(false), {
    examples: ["markethook webhooks list --resource castle", "markethook webhooks add --help"],
  });

  const add = command
    .command("add")
    .description(
      "Add a webhook to a resource. Without chosen events it gets all, or for a chat those that it is for.",
    )
    .argument("<resource>", "the resource's id")
    .requiredOption("--url <url>", "where requests go to", httpUrl);
  addFieldOptions(add)
    .option("--chat <file>", CHAT_HELP, jsonFile)
    .option("--import-secret <secret>", "sign with this one instead of a new one")
    .option("--show-secret", "print the secret", false);
  addServerHelp(addServerOptions(add), {
    examples: [
      "markethook webhooks add castle --url https://bot.example/hooks --show-secret",
      "markethook webhooks add castle --url https://bot.example/hooks --event product.user.purchase",
      'markethook webhooks add castle --url "$CHAT_URL" --chat messages.json',
    ],
  });
  add.action(async (resource: string, options: AddOptions) => {
    const { url, chat, importSecret, showSecret } = options;
    const made = await connectFor(context, options).webhooks.create(resource, {
      ...given({ url, chat, secret: importSecret }),
      ...fieldsOf(options),
    });
    await out.result(withoutSecret(made, showSecret), () =>
      [webhookText(made, out), ...secretLine(made.id, made.secret, showSecret)].join("\n"),
    );
    for (const { sentence } of made.remarks) out.remark(visible(sentence));
  });

  const list = command
    .command("list")
    .description("List webhooks, newest first.")
    .option("--resource <id>", "of this resource only");
  addServerHelp(addListOptions(addServerOptions(list)), {
    examples: [
      "markethook webhooks list --resource castle",
      "markethook webhooks list --all --json",
    ],
  });
  list.action(async (options: ServerOptions & ListOptions & { resource?: string }) => {
    const webhooks = connectFor(context, options).webhooks.list(
      given({ pageSize: pageSize(options), resourceId: options.resource }),
    );
    await printList(context, webhooks, options, WEBHOOK_HEAD, webhookRow);
  });

  const show = command.command("show").description("Show a webhook.").argument(ID, ID_HELP);
  addServerHelp(addServerOptions(show), { examples: ["markethook webhooks show wh_…"] });
  show.action(async (id: string, options: ServerOptions) => {
    await print(await connectFor(context, options).webhooks.get(id));
  });

  const change = command
    .command("change")
    .description("Change a webhook; left-out fields stay unchanged.")
    .argument(ID, ID_HELP)
    .option("--url <url>", "where requests go to, also those that wait", httpUrl);
  addFieldOptions(change).option("--chat <file>", CHAT_HELP, jsonFile);
  addServerHelp(addServerOptions(change), {
    examples: ["markethook webhooks change wh_… --url https://bot.example/new"],
  });
  change.action(async (id: string, options: WriteOptions) => {
    const { url, chat } = options;
    const change = { ...given({ url, chat }), ...fieldsOf(options) };
    if (Object.keys(change).length === 0) {
      throw usageFailure(
        "There is nothing to change.",
        "Give an option: markethook webhooks change --help lists them.",
      );
    }
    const changed = await connectFor(context, options).webhooks.change(id, change);
    await print(changed);
    for (const { sentence } of changed.remarks) out.remark(visible(sentence));
  });

  const remove = command
    .command("delete")
    .description("Delete a webhook; its open deliveries are cancelled.")
    .argument(ID, ID_HELP)
    .option("-y, --yes", "do not ask", false);
  addServerHelp(addServerOptions(remove), {
    examples: ["markethook webhooks delete wh_… --yes"],
    exits: { 1: "the question was answered with no" },
  });
  remove.action(async (id: string, options: ServerOptions & { yes: boolean }) => {
    const { webhooks } = connectFor(context, options);
    const { url, resourceId } = await webhooks.get(id);
    const of = `${visible(resourceId)}'s webhook to ${visible(url)}`;
    await confirm(context, `Delete ${of}?`, options.yes);
    await webhooks.delete(id);
    await out.result({ id, deleted: true }, () => `Deleted ${of}.`);
  });

  const copy = command
    .command("copy")
    .description("Copy a webhook to other resources of the same owner, each with its own secret.")
    .argument(ID, ID_HELP)
    .argument("<resource...>", "ids of the other resources, 100 at most")
    .option("--show-secret", "print the secrets", false);
  addServerHelp(addServerOptions(copy), {
    examples: ["markethook webhooks copy wh_… tower bridge"],
    exits: { 1: "some resources were refused; the others have their copy" },
  });
  copy.action(
    async (id: string, resources: string[], options: ServerOptions & { showSecret: boolean }) => {
      const results = await connectFor(context, options).webhooks.copy(id, resources);
      const shown = results.map((one) => withoutSecret(one, options.showSecret));
      await out.result({ results: shown }, () =>
        results.map((one) => copyText(one, options.showSecret)).join("\n"),
      );
      if (results.some(({ status }) => status === "rejected")) context.exitCode = EXIT.no;
    },
  );

  const pause = command
    .command("pause")
    .description("Hold a webhook's deliveries until it is resumed.")
    .argument(ID, ID_HELP);
  addServerHelp(addServerOptions(pause), { examples: ["markethook webhooks pause wh_…"] });
  pause.action(async (id: string, options: ServerOptions) => {
    await print(await connectFor(context, options).webhooks.pause(id));
  });

  const resume = command
    .command("resume")
    .description("Make a paused or disabled webhook active again, and send its held deliveries.")
    .argument(ID, ID_HELP)
    .option("--drop", "cancel the held deliveries instead", false);
  addServerHelp(addServerOptions(resume), {
    examples: ["markethook webhooks resume wh_…", "markethook webhooks resume wh_… --drop"],
  });
  resume.action(async (id: string, options: ServerOptions & { drop: boolean }) => {
    const held = options.drop ? "drop" : "send";
    await print(await connectFor(context, options).webhooks.resume(id, held));
  });

  addSecretCommands(command, context);

  async function print(webhook: Webhook): Promise<void> {
    await out.result(webhook, () => webhookText(webhook, out));
  }
};

function copyText(result: CopyResult, showSecret: boolean): string {
  const resource = visible(result.resourceId);
  if (result.status === "rejected") {
    return `${resource}: rejected. ${visible(result.title)} ${visible(result.detail)} [${visible(result.code)}]`;
  }
  return [
    `${resource}: ${visible(result.webhookId)}`,
    ...secretLine(result.webhookId, result.secret, showSecret),
  ].join("\n");
}
