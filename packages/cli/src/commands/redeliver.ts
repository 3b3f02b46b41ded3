import { ApiError } from "@markethook/client";
import type { Define } from "../program/context.ts";
import { confirm } from "../output/confirm.ts";
import { addServerOptions, connectFor, addServerHelp, type ServerOptions } from "../connect.ts";
import { visible } from "../output/visible-text.ts";

export const define: Define = (command, context) => {
  const { out } = context;
  command
    .argument("<delivery>", "dlv_…, from `markethook deliveries list`")
    .option("-y, --yes", "also after a later event about the same buyer, without asking", false);
  addServerHelp(addServerOptions(command), {
    examples: ["markethook redeliver dlv_…"],
    exits: { 1: "the question was answered with no" },
    notes: () =>
      "It is sent with the same webhook-id: receivers that deduplicate ignore what they had.",
  });
  command.action(async (id: string, options: ServerOptions & { yes: boolean }) => {
    const { deliveries } = connectFor(context, options);
    const made = await deliveries.redeliver(id).catch(async (error: unknown) => {
      const outOfOrder = error instanceof ApiError && error.code === "redelivery_out_of_order";
      if (!outOfOrder) throw error;
      const question = `${error.title} Send this older one after it all the same?`;
      await confirm(context, question, options.yes);
      return await deliveries.redeliver(id, { confirm: true });
    });
    await out.result(made, () => `Sent again as ${visible(made.deliveryId)}.`);
  });
};
