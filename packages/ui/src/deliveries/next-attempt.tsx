import type { Attempt, Delivery, DeliveryDetail } from "@markethook/client";
import { useIsChat } from "../api/resources-and-webhooks.ts";
import { ReplyWords } from "../exchange/exchange-view.tsx";
import { Notice } from "../shared/panels.tsx";
import { StateLabel, When } from "../shared/inline-text.tsx";
import { LinkButton } from "../shared/buttons.tsx";
import { useNow } from "../shared/times.ts";
import { fateOf, isOverdue, outcomeWords, stateWords } from "./delivery-words.ts";
import { words } from "../words/words.ts";
import { keys, useRead } from "../api/query-cache.ts";
import { listDeliveries } from "./log-paging.ts";

/** When the delivery is sent next, and why then; after a failure also what to do. */
export function NextAttempt({ delivery }: { delivery: DeliveryDetail }) {
  const now = useNow();
  const last = delivery.attemptList.at(-1);
  const isChat = useIsChat(delivery.webhookId);
  const advice =
    last === undefined ? "" : <Advice delivery={delivery} last={last} isChat={isChat} />;
  const later = useArrivedLater(delivery) ?? null;
  if (later !== null) {
    const { word, tone } = stateWords(later.state);
    return (
      <Notice
        kind="info"
        title={words.deliveries.wasSentAgain}
        action={
          <LinkButton
            to="/deliveries/$deliveryId"
            params={{ deliveryId: later.id }}
            size="xs"
            variant="default"
          >
            {words.deliveries.showIt}
          </LinkButton>
        }
      >
        <StateLabel tone={tone}>{word}</StateLabel>
      </Notice>
    );
  }
  if (delivery.state === "dead") {
    return (
      <Notice kind="warn" title={words.deliveries.notTriedAgain}>
        {advice}{" "}
        {delivery.event === "ping" ? words.deliveries.thenPing : words.deliveries.thenSendAgain}
      </Notice>
    );
  }
  if (delivery.next === null) return null;
  const { at, code, reason: sentence } = delivery.next;
  // Another instance may be newer, and know more codes, or older, and give none.
  const known: Readonly<Record<string, string>> = words.deliveries.nextReasons;
  const reason = known[code] ?? sentence;
  if (at !== null && delivery.state === "pending" && isOverdue(at, now)) {
    return (
      <Notice kind="info" title={words.deliveries.waitsForTurn}>
        {words.deliveries.isDue(<When at={at} />)} {reason}
      </Notice>
    );
  }
  const failed = delivery.attempts > 0 && delivery.state === "pending";
  return (
    <Notice
      kind="info"
      title={
        at === null || delivery.state === "held"
          ? reason
          : words.deliveries.nextAttempt(<When at={at} ahead />)
      }
    >
      {at === null || delivery.state === "held" ? undefined : (
        <>
          {failed && code === "failed" ? "" : reason} {failed ? advice : ""}
        </>
      )}
    </Notice>
  );
}

/** The last outcome, with the reply's own words, and what to do. */
function Advice(props: { delivery: DeliveryDetail; last: Attempt; isChat: boolean }) {
  const { delivery, last, isChat } = props;
  const { title, next } = outcomeWords({ ...last, isChat, fate: fateOf(delivery) });
  return (
    <>
      {words.early.lastTime(title, last.status)} <ReplyWords attempt={last} />
      {next}
    </>
  );
}

const FAILED: ReadonlySet<string> = new Set(["dead", "cancelled"]);

/**
 * The newest delivery that sent a failed one again, if that arrived or is under way; null: none, or it cannot be known;
 * undefined: not known yet.
 */
export function useArrivedLater(failed: Delivery): Delivery | null | undefined {
  const { id, eventId, webhookId, state, event, createdAt } = failed;
  const isLater = (one: Delivery): boolean => one.id !== id && one.createdAt >= createdAt;
  const { data, isLoading } = useRead(
    keys.arrivedLater(id),
    async (client, signal) => {
      const filter = { search: eventId, webhookId };
      const { items } = await listDeliveries(client, filter, null, null, signal);
      return items.find((one) => isLater(one) && !FAILED.has(one.state)) ?? null;
    },
    { enabled: FAILED.has(state) && event !== "ping" },
  );
  return isLoading ? undefined : (data ?? null);
}
