import type { RenderedRequest } from "@markethook/protocol";
import type { SendableWebhook } from "@markethook/store";
import type { Sender } from "./send/sender.ts";
import { NOT_SENT, type SendResult } from "./send/send-result.ts";

export interface InTurnOptions {
  sender: Sender;
  /** False: its host never answered well, and takes no more now. */
  turn(webhook: SendableWebhook): Promise<boolean>;
  /** Called when its turn has come: to which addresses its request may go. */
  reach(webhook: SendableWebhook): (address: string) => boolean;
  /** What came of a request to it. */
  note(webhook: SendableWebhook, result: SendResult): void;
}

/** One request that no queue holds, once its host takes it. `NOT_SENT` where it takes no more now. */
export async function sendInTurn(
  { sender, turn, reach, note }: InTurnOptions,
  webhook: SendableWebhook,
  request: RenderedRequest,
): Promise<SendResult> {
  for (let last = false; ; last = true) {
    if (!(await turn(webhook))) return NOT_SENT;
    const result = await sender.send(request, () => true, {
      mayReach: reach(webhook),
      party: webhook.ownerId,
    });
    note(webhook, result);
    // Its name leads elsewhere since: there it has to wait for its turn.
    if (result.category !== "address_unconfirmed" || last) return result;
  }
}
