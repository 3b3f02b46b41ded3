import type { Resource, ResourceInput } from "@markethook/client";
import { given } from "@markethook/protocol";
import {
  addApiOptions,
  addServerHelp,
  addServerOptions,
  type ApiOptions,
  connect,
  connectFor,
  type ServerOptions,
} from "../connect.ts";
import type { Define } from "../program/context.ts";
import { confirm } from "../output/confirm.ts";
import { addListOptions, type ListOptions, pageSize, printList } from "../output/table.ts";
import { jsonObject } from "../options/json-options.ts";
import { treeText } from "../output/tree.ts";
import { visible } from "../output/visible-text.ts";

interface PutOptions extends ApiOptions {
  title: string;
  subtitle?: string;
  owner: string;
  fileVersion?: NonNullable<ResourceInput["fileVersion"]>;
}

export const define: Define = (command, context) => {
  const { out } = context;
  addServerHelp(command.helpCommand(false), {
    examples: ["markethook resources list --owner 1001", "markethook resources put --help"],
  });

  const put = command
    .command("put")
    .description("Create a resource, or replace what is known of it.")
    .argument("<id>", "1 to 128 characters of A-Z a-z 0-9 - . _ ~")
    .requiredOption("--title <text>", "as owners and buyers see it")
    .requiredOption("--owner <id>", "who owns it; a change disables the old owner's webhooks")
    .option("--subtitle <text>", "left out, the known one stays")
    .option(
      "--file-version <json>",
      "the current one; what is known stays when left out",
      jsonObject,
    );
  addServerHelp(addApiOptions(put), {
    examples: [
      'markethook resources put castle --title Castle --subtitle "A map" --owner 1001',
      `markethook resources put castle --title Castle --owner 1001 --file-version '{"version": "1.0", "id": "u1", "time": 1767323045, "size": 1048576, "fileType": "zip"}'`,
    ],
  });
  put.action(async (id: string, options: PutOptions) => {
    const { title, subtitle, owner, fileVersion } = options;
    const resource = given({ title, ownerId: owner, subtitle, fileVersion });
    const result = await connect(context, options).resources.put(id, resource);
    await out.result(result, () => `${visible(id)} ${result.status}.`);
  });

  const get = command
    .command("get")
    .description("Show a resource.")
    .argument("<id>", "the marketplace's own id of it");
  addServerHelp(addServerOptions(get), { examples: ["markethook resources get castle"] });
  get.action(async (id: string, options: ServerOptions) => {
    const resource = await connectFor(context, options).resources.get(id);
    await out.result(resource, () => resourceText(resource));
  });

  const list = command.command("list").description("List resources, in order of id.");
  addServerHelp(addListOptions(addServerOptions(list)), {
    examples: ["markethook resources list --owner 1001", "markethook resources list --all --json"],
  });
  list.action(async (options: ServerOptions & ListOptions) => {
    const { resources } = connectFor(context, options);
    await printList(
      context,
      resources.list({ pageSize: pageSize(options) }),
      options,
      ["id", "owner", "title", "file version", "updated"],
      (one) => [one.id, one.ownerId, one.title, one.fileVersion?.version ?? "-", one.updatedAt],
    );
  });

  const remove = command
    .command("delete")
    .description("Delete a resource and its webhooks; their open deliveries are cancelled.")
    .argument("<id>", "the marketplace's own id of it")
    .option("-y, --yes", "do not ask", false);
  addServerHelp(addApiOptions(remove), {
    examples: ["markethook resources delete castle --yes"],
    exits: { 1: "the question was answered with no" },
  });
  remove.action(async (id: string, options: ApiOptions & { yes: boolean }) => {
    const { resources } = connect(context, options);
    const { title } = await resources.get(id);
    await confirm(
      context,
      `Delete ${visible(id)} (${visible(title)}) and all of its webhooks?`,
      options.yes,
    );
    await resources.delete(id);
    await out.result({ id, deleted: true }, () => `Deleted ${visible(id)}.`);
  });
};

function resourceText(resource: Resource): string {
  const { id, title, subtitle, ownerId, url, fileVersion, createdAt, updatedAt } = resource;
  return treeText({
    text: `${visible(id)}  ${visible(title)}`,
    branches: [
      ...(subtitle === "" ? [] : [{ text: visible(subtitle) }]),
      { text: `owner    ${visible(ownerId)}` },
      { text: `page     ${visible(url)}` },
      {
        text:
          fileVersion === null
            ? "no file version is known"
            : `version  ${visible(fileVersion.version)} (${visible(fileVersion.id)}), ${fileVersion.size} bytes of ${visible(fileVersion.fileType)}, ${visible(fileVersion.branch)}`,
      },
      { text: `created  ${createdAt}, updated ${updatedAt}` },
    ],
  });
}
