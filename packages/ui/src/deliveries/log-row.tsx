import type { Delivery, Webhook } from "@markethook/client";
import { Link } from "@tanstack/react-router";
import { eventTitle } from "../shared/event-words.ts";
import { StateLabel } from "../shared/state-label.tsx";
import { UserText } from "../shared/user-text.tsx";
import { When } from "../shared/when.tsx";
import { originWord, resultWord, stateWords } from "./delivery-words.ts";
import { webhookTitle } from "../webhooks/webhook-words.ts";
import classes from "./log-rows.module.css";

interface LogRowProps {
  delivery: Delivery;
  /** Undefined where the log is of one webhook; null for one that is gone. */
  webhook: Webhook | null | undefined;
  top: number;
  height: number;
  /** Whether the Tab key stops here. */
  isStop: boolean;
  position: number;
  /** -1 while it is not known. */
  total: number;
}

/** One delivery in the log. */
export function LogRow({ delivery, webhook, top, height, isStop, position, total }: LogRowProps) {
  const { word, tone } = stateWords(delivery.state);
  const origin = originWord(delivery.origin);
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
        to="/deliveries/$deliveryId"
        params={{ deliveryId: delivery.id }}
      >
        <span className={classes["state"]}>
          <StateLabel tone={tone}>{word}</StateLabel>
        </span>
        <span className={classes["event"]}>
          <span>{eventTitle(delivery.event)}</span>
          {delivery.userId === null ? null : (
            <span className={classes["quiet"]}> user {delivery.userId}</span>
          )}
          {origin === null ? null : <span className={classes["quiet"]}> {origin}</span>}
        </span>
        {webhook === undefined ? null : (
          <span className={classes["webhook"]}>
            {webhook === null ? "deleted webhook" : <UserText>{webhookTitle(webhook)}</UserText>}
          </span>
        )}
        <span className={classes["answer"]}>{resultWord(delivery)}</span>
        <span className={classes["attempts"]}>
          {delivery.attempts}
          <span className={classes["unit"]}>
            {delivery.attempts === 1 ? " attempt" : " attempts"}
          </span>
        </span>
        <span className={classes["when"]}>
          <When at={delivery.createdAt} />
        </span>
      </Link>
    </li>
  );
}
