import { BusyButton } from "../shared/busy-button.tsx";
import { ApiError, type DeliveryDetail } from "@markethook/client";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/query-cache.ts";
import { useSession } from "../session/session.ts";
import { Dialog } from "../shared/dialog.tsx";
import { errorWords } from "../shared/code-words.ts";
import { words } from "../words/words.ts";

const ENDED: ReadonlySet<string> = new Set(["delivered", "dead", "cancelled"]);

interface RedeliverButtonProps {
  delivery: DeliveryDetail;
  /** With the id of the new one. */
  onSent: (deliveryId: string) => void;
}

/** Sends an ended delivery again; asks first where the buyer's later event has gone out already. */
export function RedeliverButton({ delivery, onSent }: RedeliverButtonProps) {
  const { client } = useSession();
  const queries = useQueryClient();
  const [asking, setAsking] = useState<ApiError | null>(null);
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
      if (error instanceof ApiError && error.code === "redelivery_out_of_order") {
        setAsking(error);
        return;
      }
      const { title, text } = errorWords(error);
      notifications.show({ title, message: text, color: "red" });
    },
  });
  if (!ENDED.has(delivery.state) || delivery.origin === "ping") return null;
  return (
    <>
      <BusyButton busy={sending.isPending} onClick={() => sending.mutate(false)}>
        {words.deliveries.sendAgain}
      </BusyButton>
      <Dialog
        title={words.deliveries.laterSent}
        opened={asking !== null}
        onClose={() => setAsking(null)}
        confirm={{
          label: words.deliveries.sendAnyway,
          danger: true,
          busy: sending.isPending,
          onClick: () => sending.mutate(true),
        }}
      >
        <p>{words.deliveries.laterSentText}</p>
        <p>{words.deliveries.isRepeat}</p>
      </Dialog>
    </>
  );
}
