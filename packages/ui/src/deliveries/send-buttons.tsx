import { BusyButton } from "../shared/buttons.tsx";
import { ApiError, type DeliveryDetail } from "@markethook/client";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/query-cache.ts";
import { useWebhook } from "../api/resources-and-webhooks.ts";
import { useSession } from "../session/session.ts";
import { Dialog } from "../shared/dialog.tsx";
import { errorWords } from "../shared/code-words.ts";
import { useArrivedLater } from "./next-attempt.tsx";
import { words } from "../words/words.ts";

const ENDED: ReadonlySet<string> = new Set(["delivered", "dead", "cancelled"]);

interface RedeliverButtonProps {
  delivery: DeliveryDetail;
  /** With the id of the new one. */
  onSent: (deliveryId: string) => void;
}

export function canSendAgain({ state, origin }: DeliveryDetail): boolean {
  return ENDED.has(state) && origin !== "ping";
}

/** The question before sending: a later event of the buyer was sent already, or the chat has the message already. */
type Question = "later" | "repeat";

/** Sends an ended delivery again. Repeats to a server are not asked about: it can tell them by the id. */
export function RedeliverButton({ delivery, onSent }: RedeliverButtonProps) {
  const { client } = useSession();
  const queries = useQueryClient();
  const [asking, setAsking] = useState<Question | null>(null);
  const { data: webhook, isLoading } = useWebhook(delivery.webhookId);
  const arrivedLater = useArrivedLater(delivery);
  const isChat = webhook !== undefined && webhook.format !== "json";
  const isDelivered = delivery.state === "delivered";
  const isPosted = isChat && (isDelivered || (arrivedLater ?? null) !== null);
  // Until it is known whether to ask, nothing is sent.
  const isKnown = !isLoading && (!isChat || isDelivered || arrivedLater !== undefined);
  const sending = useMutation({
    mutationFn: async (confirm: boolean) =>
      await client.deliveries.redeliver(delivery.id, { confirm }),
    onSuccess: ({ deliveryId }) => {
      setAsking(null);
      notifications.show({ message: words.deliveries.sentAgain });
      void queries.invalidateQueries({ queryKey: keys.deliveries() });
      onSent(deliveryId);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === "redelivery_out_of_order") setAsking("later");
      else tellFailure(error);
    },
  });
  const { laterSent, laterSentText, isRepeat, isPostedAlready, postedAgain } = words.deliveries;
  return (
    <>
      <BusyButton
        busy={sending.isPending || !isKnown}
        onClick={() => {
          if (isPosted) setAsking("repeat");
          else sending.mutate(false);
        }}
      >
        {words.deliveries.sendAgain}
      </BusyButton>
      <Dialog
        title={asking === "repeat" ? isPostedAlready : laterSent}
        opened={asking !== null}
        onClose={() => setAsking(null)}
        confirm={{
          label: words.deliveries.sendAnyway,
          danger: true,
          busy: sending.isPending,
          onClick: () => sending.mutate(asking === "later"),
        }}
      >
        {asking === "later" ? <p>{laterSentText(isChat)}</p> : null}
        <p>{isChat ? postedAgain : isRepeat}</p>
      </Dialog>
    </>
  );
}

const WAITS: ReadonlySet<string> = new Set(["pending", "waiting"]);

/** Sends a pending delivery before its next attempt is due. */
export function SendNowButton({ delivery }: { delivery: DeliveryDetail }) {
  const { client } = useSession();
  const queries = useQueryClient();
  const sending = useMutation({
    mutationFn: async () => await client.deliveries.sendNow(delivery.id),
    onSuccess: async ({ earlier }) => {
      notifications.show({ message: words.early.beingSent(earlier) });
      await queries.invalidateQueries({ queryKey: keys.deliveries() });
    },
    onError: tellFailure,
  });
  if (!WAITS.has(delivery.state)) return null;
  return (
    <BusyButton busy={sending.isPending} onClick={() => sending.mutate()}>
      {words.early.sendItNow}
    </BusyButton>
  );
}

function tellFailure(error: unknown): void {
  const { title, text } = errorWords(error);
  notifications.show({ title, message: text, color: "red" });
}
