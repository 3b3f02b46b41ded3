import type { Delivery } from "@markethook/client";
import { VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { eventTitle } from "../shared/code-words.ts";
import { StateLabel, UserText, When } from "../shared/inline-text.tsx";
import { aboutWords, isOverdue, shortOutcomeWords, stateWords } from "./delivery-words.ts";
import classes from "./log-rows.module.css";
import { useNow } from "../shared/times.ts";
import { words } from "../words/words.ts";

interface LogRowProps {
  delivery: Delivery;
  /** The webhook's title. Undefined in the log of one webhook; null for a deleted webhook. */
  webhook: string | null | undefined;
  top: number;
  height: number;
  /** Whether the Tab key stops here. */
  isStop: boolean;
  /** Whether the delivery opens next to the log, instead of another one or alone; null: on a page of its own. */
  beside: "instead" | "alone" | null;
  position: number;
  /** -1 while it is not known. */
  total: number;
}

export function LogRow(props: LogRowProps) {
  const { delivery, webhook, top, height, isStop, position, total } = props;
  const { word, tone } = stateWords(delivery.state);
  return (
    <li
      className={classes["row"]}
      data-id={delivery.id}
      style={{ transform: `translateY(${top}px)`, height }}
      aria-posinset={position}
      aria-setsize={total}
    >
      <Link
        className={classes["link"]}
        tabIndex={isStop ? 0 : -1}
        data-webhook={webhook !== undefined || undefined}
        {...targetOf(delivery.id, props.beside)}
      >
        <span className={classes["state"]}>
          <StateLabel tone={tone}>{word}</StateLabel>
          {delivery.state === "pending" && delivery.dueAt !== null ? (
            <span className={classes["next"]}>
              <NextTime at={delivery.dueAt} />
            </span>
          ) : null}
        </span>
        <span className={classes["event"]}>
          <span>{eventTitle(delivery.event)}</span>
          {delivery.userId === null ? null : (
            <span className={classes["quiet"]}> {words.deliveries.user(delivery.userId)}</span>
          )}
          {aboutWords(delivery).map((part) => (
            <span key={part} className={classes["quiet"]}>
              {" · "}
              <UserText>{part}</UserText>
            </span>
          ))}
          {delivery.origin === "redelivery" ? (
            <span className={classes["quiet"]}> {words.deliveries.byHand}</span>
          ) : null}
        </span>
        {webhook === undefined ? null : (
          <span className={classes["webhook"]} title={webhook ?? undefined}>
            {webhook === null ? words.deliveries.deletedWebhook : <UserText>{webhook}</UserText>}
          </span>
        )}
        <span className={classes["answer"]}>{replyWords(delivery)}</span>
        <span className={classes["attempts"]}>
          {delivery.attempts}
          <VisuallyHidden component="span">
            {` ${words.deliveries.attempt(delivery.attempts)}`}
          </VisuallyHidden>
        </span>
        <span className={classes["when"]}>
          <When at={delivery.createdAt} />
        </span>
      </Link>
    </li>
  );
}

/** Next to the log the rest of the address stays as it is. The router's types know no choice between two places. */
function targetOf(deliveryId: string, beside: LogRowProps["beside"]): { to: "." } {
  const search = (before: object) => ({ ...before, open: deliveryId });
  const target: object =
    beside === null
      ? { to: "/deliveries/$deliveryId", params: { deliveryId } }
      : { to: ".", search, replace: beside === "instead", resetScroll: false };
  return target as { to: "." };
}

/** The result of the last attempt: the status, if there was one, and a few words. */
function replyWords({ lastStatus: status, lastOutcome: outcome }: Delivery): string {
  if (outcome === null) return "";
  if (status === null) return shortOutcomeWords(outcome);
  const { redirect, statuses } = words.deliveries;
  const names: Readonly<Record<number, string>> = statuses;
  const name = status >= 300 && status < 400 ? redirect : names[status];
  return outcome === "ok" || name === undefined ? String(status) : `${status} ${name}`;
}

function NextTime({ at }: { at: string }) {
  const now = useNow();
  return isOverdue(at, now) ? words.deliveries.due : words.deliveries.next(<When at={at} ahead />);
}
