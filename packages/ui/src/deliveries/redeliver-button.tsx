import { BusyButton } from "../shared/busy-button.tsx";
import { ApiError, type DeliveryDetail } from "@markethook/client";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/query-keys.ts";
import { useSession } from "../session/session-context.ts";
import { Dialog } from "../shared/dialog.tsx";
import { errorWords } from "../shared/error-words.ts";

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
      notifications.show({ message: "Sent again, as a delivery of its own." });
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
        Send again
      </BusyButton>
      <Dialog
        title="Something later has been sent since"
        opened={asking !== null}
        onClose={() => setAsking(null)}
        confirm={{
          label: "Send it again anyway",
          danger: true,
          busy: sending.isPending,
          onClick: () => sending.mutate(true),
        }}
      >
        <p>
          A later event about the same buyer has reached this webhook already, for example the
          refund of this purchase. A server that does not look at the order could undo it: give
          access back to somebody who was refunded.
        </p>
        <p>
          Your server can tell that it is a repeat: <code>webhook-id</code> is the same as before.
        </p>
      </Dialog>
    </>
  );
}
