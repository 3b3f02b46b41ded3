import type { EraseProgress } from "@markethook/client";
import { addApiOptions, addServerHelp, type ApiOptions, connect } from "../connect.ts";
import type { Define } from "../program/context.ts";
import { confirm } from "../output/confirm.ts";
import { userId as readUserId } from "../options/option-values.ts";

interface Options extends ApiOptions {
  dryRun: boolean;
  yes: boolean;
}

export const define: Define = (command, context) => {
  const { out } = context;
  command
    .argument("<user>", "the user's id, as in events", readUserId)
    .option("--dry-run", "count only", false)
    .option("-y, --yes", "do not ask", false);
  addServerHelp(addApiOptions(command), {
    examples: ["markethook erase-user 4711 --dry-run", "markethook erase-user 4711 --yes"],
    exits: { 1: "the question was answered with no", 130: null },
    notes: () =>
      [
        "Needs a key with the scope users:erase. It cannot be undone. Deliveries that were not sent yet are",
        "cancelled, and what was sent can no longer be sent again. After a stop, what it has done stays done: run it",
        "again. Later reports about the user are stored as usual.",
      ].join("\n"),
  });
  command.action(async (userId: number, options: Options) => {
    const { users } = connect(context, options);
    const found = await users.erase(userId, { dryRun: true });
    if (options.dryRun) {
      await out.result(
        { dryRun: true, ...counts(found) },
        () => `${sentence(found)} would be erased.`,
      );
      return;
    }
    // Without an event it runs too: an earlier run may have stopped after the last event, before the end.
    if (found.events > 0) await confirm(context, `Erase ${sentence(found)} for good?`, options.yes);
    const signal = context.interrupt();
    let said = 0;
    try {
      const done = await users.erase(userId, {
        signal,
        onProgress(progress) {
          if (progress.open > 0) out.remark(`${progress.open} on their way; waiting for them.`);
          if (progress.events > said) out.remark(`${progress.events} of ${found.events} events.`);
          said = progress.events;
        },
      });
      const { cancelled } = done;
      await out.result({ dryRun: false, ...counts(done) }, () =>
        done.events === 0
          ? "Nothing is stored of this user."
          : `Erased ${sentence(done)}; ${cancelled} of them had not been sent and are cancelled.`,
      );
    } catch (error) {
      if (!signal.aborted) throw error;
      out.remark(`Stopped after ${said} events; what is erased stays erased. Run it again.`);
    }
  });
};

function counts({ events, deliveries, cancelled }: EraseProgress) {
  return { events, deliveries, cancelled };
}

function sentence({ events, deliveries }: EraseProgress): string {
  return `${plural(events, "event")} with ${plural(deliveries, "delivery", "deliveries")}`;
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
