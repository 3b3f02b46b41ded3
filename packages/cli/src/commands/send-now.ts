import type { Define } from "../program/context.ts";
import { confirm } from "../output/confirm.ts";
import { addServerOptions, connectFor, addServerHelp, type ServerOptions } from "../connect.ts";
import { usageFailure } from "../program/failure.ts";
import { openProgress } from "../output/progress.ts";
import { visible } from "../output/visible-text.ts";

interface Options extends ServerOptions {
  dryRun: boolean;
  yes: boolean;
}

export const define: Define = (command, context) => {
  const { out } = context;
  command
    .argument("<id>", "dlv_…: this delivery. wh_…: all waiting deliveries of this webhook")
    .option("--dry-run", "of a webhook: count only", false)
    .option("-y, --yes", "of a webhook: do not ask", false);
  addServerHelp(addServerOptions(command), {
    examples: ["markethook send-now dlv_…", "markethook send-now wh_… --yes"],
    exits: { 1: "the question was answered with no", 130: null },
    notes: () =>
      "Earlier deliveries about the same buyer go first. If an attempt fails, the delivery's retry schedule\nis as it was before.",
  });
  command.action(async (id: string, options: Options) => {
    if (id.startsWith("dlv_")) await sendOne(id, options);
    else if (id.startsWith("wh_")) await sendAll(id, options);
    else throw usageFailure("This is no delivery and no webhook.", "Give dlv_… or wh_….");
  });

  async function sendOne(id: string, options: Options): Promise<void> {
    const answer = await connectFor(context, options).deliveries.sendNow(id);
    const { deliveryId, earlier } = answer;
    const before =
      earlier === 0
        ? ""
        : `, after ${earlier} earlier ${earlier === 1 ? "one" : "ones"} about the same buyer`;
    await out.result(answer, () => `${visible(deliveryId)} is sent now${before}.`);
  }

  async function sendAll(webhook: string, options: Options): Promise<void> {
    const { sendWaiting } = connectFor(context, options);
    const { count, capped } = await sendWaiting.count(webhook);
    const deliveries = `${count}${capped ? " or more" : ""} ${count === 1 ? "delivery" : "deliveries"}`;
    if (options.dryRun || count === 0) {
      await out.result({ count, capped, sent: 0 }, () => `${deliveries} waiting.`);
      return;
    }
    await confirm(context, `Send ${deliveries} now?`, options.yes);
    const signal = context.interrupt();
    const progress = openProgress(context, "Sending", count);
    let sent = 0;
    try {
      await sendWaiting.run(webhook, {
        signal,
        onProgress: (made) => {
          sent = made.sent;
          progress.at(sent);
        },
      });
    } catch (error) {
      progress.end(`Stopped after ${sent} of ${visible(deliveries)}; the others wait as before.`);
      if (!signal.aborted) throw error;
      return;
    }
    progress.end("All are on their way.");
    await out.result({ count, capped, sent }, () => `${sent} on their way.`);
  }
};
