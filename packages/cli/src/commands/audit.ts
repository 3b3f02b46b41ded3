import type { AuditEntry, AuditFilter } from "@markethook/client";
import { AUDIT_ACTIONS, AUDIT_SUBJECTS, given } from "@markethook/protocol";
import { Option } from "commander";
import type { Define } from "../program/context.ts";
import { addServerOptions, connectFor, addServerHelp, type ServerOptions } from "../connect.ts";
import { EXIT } from "../program/failure.ts";
import { addListOptions, type ListOptions, pageSize, printList } from "../output/table.ts";
import { moment, secondsOf } from "../options/option-values.ts";
import { visible } from "../output/visible-text.ts";

interface Options extends ServerOptions, ListOptions {
  resource?: string;
  subject?: string;
  actor?: string;
  action?: NonNullable<AuditFilter["action"]>;
  without?: NonNullable<AuditFilter["without"]>;
  from?: number;
  to?: number;
}

const HEAD = ["no", "at", "who", "action", "of", "owner", "resource", "before", "after"];

export const define: Define = (command, context) => {
  addServerHelp(command.helpCommand(false), {
    examples: ["markethook audit list --subject wh_…", "markethook audit verify"],
  });

  const list = command
    .command("list")
    .description("List who changed what, newest first.")
    .option("--resource <id>", "about this resource and its webhooks")
    .option("--subject <id>", "about this webhook, delivery, key, session or resource")
    .option("--actor <id>", "by this key or session")
    .addOption(new Option("--action <action>", "only this").choices([...AUDIT_ACTIONS]))
    .addOption(
      new Option("--without <subject>", "all but changes of this kind").choices([
        ...AUDIT_SUBJECTS,
      ]),
    )
    .option("--from <time>", "at or after; Unix seconds, or 2026-01-31T12:00:00Z", moment)
    .option("--to <time>", "before", moment);
  addServerHelp(addListOptions(addServerOptions(list)), {
    examples: [
      "markethook audit list --subject wh_…",
      "markethook audit list --without portal_session",
      "markethook audit list --action webhook.change --from 2026-01-31T00:00:00Z --json",
    ],
  });
  list.action(async (options: Options) => {
    const entries = connectFor(context, options).audit.list(filterOf(options), {
      pageSize: pageSize(options),
    });
    await printList(context, entries, options, HEAD, row);
  });

  const verify = command
    .command("verify")
    .description("Check that no row of the log was changed or taken away.");
  addServerHelp(addServerOptions(verify), {
    examples: ["markethook audit verify"],
    exits: { 1: "a row is not as it was written, or missing" },
    notes: () =>
      "Write the printed number and hash down elsewhere: with them a restored older log can be told later.",
  });
  verify.action(async (options: ServerOptions) => {
    const { checked, head, broken } = await connectFor(context, options).audit.check();
    await context.out.result({ checked, head, broken }, () =>
      broken === null
        ? `All ${checked} rows are as they were written. The last one is ${head.no} ${head.hash}`
        : `Row ${broken.no} cannot be trusted: ${visible(broken.why)}. ${checked} before it are as they were written.`,
    );
    if (broken !== null) context.exitCode = EXIT.no;
  });
};

function filterOf(options: Options): AuditFilter {
  const { resource, subject, actor, action, without } = options;
  const plain = { resourceId: resource, subjectId: subject, actorId: actor, action, without };
  return given({ ...plain, ...secondsOf(options) });
}

function row(entry: AuditEntry): string[] {
  const { no, at, actor, action, subject, ownerId, resourceId, before, after } = entry;
  const who = [actor.kind, actor.name, actor.id].filter((part) => part !== null).join(" ");
  return [
    String(no),
    at,
    who,
    action,
    `${subject.kind} ${subject.id}`,
    ownerId ?? "-",
    resourceId ?? "-",
    facts(before),
    facts(after),
  ];
}

function facts(of: AuditEntry["before"]): string {
  if (of === null) return "-";
  return Object.entries(of)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(" ");
}
