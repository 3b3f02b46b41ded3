import type { Notice } from "@markethook/client";
import type { Define } from "../program/context.ts";
import { addServerOptions, connectFor, addServerHelp, type ServerOptions } from "../connect.ts";
import { addListOptions, type ListOptions, printList } from "../output/table.ts";
import { whole } from "../options/option-values.ts";
import { visible } from "../output/visible-text.ts";

interface Options extends ServerOptions, ListOptions {
  after: number;
  follow: boolean;
}

const INTERVAL_MS = 2000;
const HEAD = ["no", "made", "kind", "owner", "resource", "webhook", "facts"];

export const define: Define = (command, context) => {
  addServerHelp(command.helpCommand(false), {
    examples: ["markethook notices list", "markethook notices list --follow --json"],
  });

  const list = command
    .command("list")
    .description("List messages for owners, oldest first.")
    .option("--after <no>", "above this number", whole(0, Number.MAX_SAFE_INTEGER), 0)
    .option("-f, --follow", "and then each as it comes, until Ctrl-C", false);
  addServerHelp(addListOptions(addServerOptions(list)), {
    examples: ["markethook notices list --after 120", "markethook notices list --follow --json"],
    exits: { 130: null },
  });
  list.action(async (options: Options) => {
    const { notices } = connectFor(context, options);
    const { after } = options;
    if (!options.follow) {
      await printList(context, notices.list({ after }), options, HEAD, row);
      return;
    }
    const signal = context.interrupt();
    const onOutage = ({ message }: Error): void =>
      context.out.remark(`${visible(message)} It is asked again until it answers.`);
    const how = { after, intervalMs: INTERVAL_MS, signal, onOutage };
    try {
      for await (const notice of notices.follow(how)) {
        context.out.item(notice, () => row(notice).map(visible).join("  "));
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
};

function row({ no, createdAt, kind, ownerId, resourceId, webhookId, detail }: Notice): string[] {
  const facts = Object.entries(detail).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [String(no), createdAt, kind, ownerId, resourceId, webhookId ?? "-", facts.join(" ")];
}
