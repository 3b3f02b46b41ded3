import { ApiError, type ApiKey, type ApiKeyInput } from "@markethook/client";
import { API_SCOPES, given, SCOPE_TEXTS } from "@markethook/protocol";
import { addApiOptions, addServerHelp, type ApiOptions, connect } from "../connect.ts";
import type { Define } from "../program/context.ts";
import { confirm } from "../output/confirm.ts";
import { printList } from "../output/table.ts";
import { moment, oneOrMore } from "../options/option-values.ts";
import { usageFailure } from "../program/failure.ts";
import { visible } from "../output/visible-text.ts";

interface CreateOptions extends ApiOptions {
  scope?: ApiKeyInput["scopes"];
  expires?: number;
  from?: string[];
}

export const define: Define = (command, context) => {
  const { out } = context;
  addServerHelp(command.helpCommand(false), {
    examples: ["markethook keys list", "markethook keys create --help"],
    notes: () => "Needs a key with the scope admin.",
  });

  const create = command
    .command("create")
    .description("Make an API key and print it; it is shown this once.")
    .argument("<name>", "who uses it, for people")
    .option("--scope <scope>", "what it may do, several times; see below", oneOrMore(API_SCOPES))
    .option(
      "--from <address>",
      "address or CIDR that it may be used from, several times; default: anywhere",
      (address: string, before: string[] | undefined) => [...(before ?? []), address],
    )
    .option("--expires <time>", "Unix seconds, or a time such as 2027-01-31T00:00:00Z", moment);
  addServerHelp(addApiOptions(create), {
    examples: [
      'markethook keys create "shop backend" --scope events:write --scope resources:write',
    ],
    notes: () =>
      ["Scopes:", ...API_SCOPES.map((scope) => `  ${scope.padEnd(17)}${SCOPE_TEXTS[scope]}`)].join(
        "\n",
      ),
  });
  create.action(async (name: string, options: CreateOptions) => {
    const { scope, expires, from } = options;
    if (scope === undefined) {
      throw usageFailure("A key without a scope can do nothing.", "Give --scope, once or more.");
    }
    const expiresAt = expires === undefined ? undefined : new Date(expires).toISOString();
    const key = given({ name, scopes: scope, expiresAt, addresses: from });
    const made = await connect(context, options).apiKeys.create(key);
    await out.result(made, () => made.key);
    if (!out.json) out.remark(`${made.id}, ${visible(name)}. The key is shown only now.`);
  });

  const list = command.command("list").description("List the API keys, revoked ones too.");
  addServerHelp(addApiOptions(list), { examples: ["markethook keys list"] });
  list.action(async (options: ApiOptions) => {
    const keys = await connect(context, options).apiKeys.list();
    const head = ["id", "name", "scopes", "state", "created", "last used", "from"];
    await printList(context, keys, { limit: 0, all: true }, head, keyRow);
  });

  const revoke = command
    .command("revoke")
    .description("Revoke an API key, at the latest a second from now.")
    .argument("<id>", "key_…, from the list")
    .option("-y, --yes", "also the last key that can make keys, without asking", false);
  addServerHelp(addApiOptions(revoke), {
    examples: ["markethook keys revoke key_7hq2m0c9x4v1b8n5z6la"],
    exits: { 1: "the question was answered with no" },
  });
  revoke.action(async (id: string, options: ApiOptions & { yes: boolean }) => {
    const { apiKeys } = connect(context, options);
    await apiKeys.revoke(id).catch(async (error: unknown) => {
      if (!(error instanceof ApiError && error.code === "api_key_last")) throw error;
      const question = `${error.title} Without it keys can be made only after a restart with a new one. Revoke it?`;
      await confirm(context, question, options.yes);
      await apiKeys.revoke(id, { confirm: true });
    });
    await out.result({ id, revoked: true }, () => `Revoked ${visible(id)}.`);
  });
};

function keyRow(key: ApiKey): string[] {
  const expires = key.expiresAt === null ? "" : ` until ${key.expiresAt}`;
  const state = key.revokedAt === null ? `active${expires}` : `revoked ${key.revokedAt}`;
  const from = key.addresses.length === 0 ? "anywhere" : key.addresses.join(" ");
  const used = key.lastUsedAt ?? "never";
  return [key.id, key.name, key.scopes.join(" "), state, key.createdAt, used, from];
}
