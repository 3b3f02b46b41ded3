import type { DeliveryDetail } from "@markethook/client";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keys } from "../api/query-cache.ts";
import { useSession } from "../session/session.ts";
import { BusyButton } from "../shared/buttons.tsx";
import { errorWords } from "../shared/code-words.ts";
import { words } from "../words/words.ts";

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
    onError: (error) => {
      const { title, text } = errorWords(error);
      notifications.show({ title, message: text, color: "red" });
    },
  });
  if (!WAITS.has(delivery.state)) return null;
  return (
    <BusyButton busy={sending.isPending} onClick={() => sending.mutate()}>
      {words.early.sendItNow}
    </BusyButton>
  );
}
