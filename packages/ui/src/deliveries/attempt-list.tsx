import type { DeliveryDetail } from "@markethook/client";
import { Accordion } from "@mantine/core";
import { useState } from "react";
import { useIsChat } from "../api/resources-and-webhooks.ts";
import { ExchangeView } from "../exchange/exchange-view.tsx";
import { StateLabel, When } from "../shared/inline-text.tsx";
import { AdoptAddress } from "../webhooks/adopt-address.tsx";
import stack from "../shared/stack.module.css";
import classes from "./attempt-list.module.css";
import { MessageRemarks } from "../chat/message-remarks.tsx";
import { fateOf, outcomeWords } from "./delivery-words.ts";
import { words } from "../words/words.ts";

/** The newest requests of a delivery, the last one first and open. */
export function AttemptList({ delivery }: { delivery: DeliveryDetail }) {
  const attempts = [...delivery.attemptList].reverse();
  const newest = attempts[0]?.number ?? 0;
  const earlier = (attempts.at(-1)?.number ?? 1) - 1;
  // Null until somebody opens or closes one: until then the newest is open, also when a newer one arrives.
  const [chosen, setChosen] = useState<string[] | null>(null);
  const isChat = useIsChat(delivery.webhookId);
  if (attempts.length === 0) return null;
  return (
    <section>
      <h2 className={classes["title"]}>{words.deliveries.attempts}</h2>
      <Accordion
        multiple
        variant="separated"
        keepMounted={false}
        order={3}
        value={chosen ?? [String(newest)]}
        onChange={setChosen}
      >
        {attempts.map((attempt) => {
          const { title, next } = outcomeWords({ ...attempt, isChat, fate: fateOf(delivery) });
          return (
            <Accordion.Item
              key={attempt.number}
              value={String(attempt.number)}
              className={classes["item"] ?? ""}
            >
              <Accordion.Control>
                <span className={classes["line"]}>
                  <span className={classes["number"]}>{attempt.number}</span>
                  <span className={classes["words"]}>
                    <StateLabel tone={attempt.outcome === "ok" ? "good" : "bad"}>
                      {attempt.status !== null
                        ? String(attempt.status)
                        : attempt.sent
                          ? words.shared.noReply
                          : words.shared.notSent}
                    </StateLabel>
                    <span className={stack["dimmed"]}>{title}</span>
                  </span>
                  <span className={classes["when"]}>
                    <When at={attempt.at} />
                  </span>
                </span>
              </Accordion.Control>
              <Accordion.Panel>
                <p className={classes["at"]}>
                  <When at={attempt.at} exact />
                </p>
                {attempt.outcome === "ok" || next === "" ? null : (
                  <p className={classes["next"]}>{next}</p>
                )}
                {attempt.number === newest ? (
                  <AdoptAddress
                    className={classes["next"]}
                    webhookId={delivery.webhookId}
                    exchange={attempt}
                  />
                ) : null}
                <MessageRemarks of={attempt} />
                <ExchangeView exchange={attempt} webhookId={delivery.webhookId} />
              </Accordion.Panel>
            </Accordion.Item>
          );
        })}
      </Accordion>
      {earlier > 0 ? <p>{words.deliveries.earlierAttempts(earlier)}</p> : null}
    </section>
  );
}
