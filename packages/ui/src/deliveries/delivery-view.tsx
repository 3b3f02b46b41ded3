import { Link, useParams, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { keys, useRead } from "../api/query-cache.ts";
import { LinkButton } from "../shared/buttons.tsx";
import { canSendAgain, RedeliverButton, SendNowButton } from "./send-buttons.tsx";
import { CopyButton } from "../shared/copy-button.tsx";
import { PageTitle, UnreadView } from "../shared/page.tsx";
import { eventTitle } from "../shared/code-words.ts";
import { Facts, Panel } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import { exactTime, StateLabel, UserText } from "../shared/inline-text.tsx";
import { AttemptList } from "./attempt-list.tsx";
import { reasonWords, stateWords } from "./delivery-words.ts";
import { NextAttempt } from "./next-attempt.tsx";
import { words } from "../words/words.ts";
import { useIsGone, useResourceTitle, useWebhooks } from "../api/resources-and-webhooks.ts";
import { webhookTitle } from "../webhooks/webhook-words.ts";
import { Button } from "@mantine/core";
import classes from "./delivery-log.module.css";

interface DeliveryViewProps {
  deliveryId: string;
  /** The heading, made by the page around it. */
  head: (parts: { title: string; below: ReactNode; actions: ReactNode }) => ReactNode;
  isPage?: boolean;
  /** Shows another one. */
  onOpen: (deliveryId: string) => void;
}

/** One delivery with everything that was sent and came back. */
function DeliveryView({ deliveryId, head, isPage = false, onOpen }: DeliveryViewProps) {
  const query = useRead(keys.delivery(deliveryId), (client, signal) =>
    client.deliveries.get(deliveryId, { signal }),
  );
  const delivery = query.data;
  const isGone = useIsGone(delivery?.webhookId);
  const resource = useResourceTitle(delivery?.resourceId);
  if (delivery === undefined) {
    return <UnreadView query={query} rows={3} height={120} isPage={isPage} />;
  }
  const { word, tone } = stateWords(delivery.state);
  return (
    <div className={stack["stack"]}>
      {head({
        title: eventTitle(delivery.event),
        // Another delivery is not a change of this one's state.
        below: (
          <span key={delivery.id} role="status">
            <StateLabel tone={tone}>{word}</StateLabel>
          </span>
        ),
        actions: (
          <>
            <SendNowButton delivery={delivery} />
            {!isGone && canSendAgain(delivery) ? (
              <RedeliverButton key={delivery.id} delivery={delivery} onSent={onOpen} />
            ) : null}
            <CopyButton
              text={linkTo(delivery.id)}
              label={words.deliveries.linkLabel}
              short={words.deliveries.copyLink}
              size="sm"
            />
          </>
        ),
      })}
      {isGone ? null : <NextAttempt delivery={delivery} />}
      <Panel title={words.deliveries.delivery}>
        <Facts
          items={[
            [words.deliveries.webhook, <WebhookLink webhookId={delivery.webhookId} />],
            [words.webhooks.resource, resource === null ? null : <UserText>{resource}</UserText>],
            [words.deliveries.event, <code>{delivery.event}</code>],
            [words.deliveries.happened, exactTime(new Date(delivery.time * 1000).toISOString())],
            [words.deliveries.recorded, exactTime(delivery.createdAt)],
            [words.deliveries.ended, exactTime(delivery.endedAt)],
            [words.deliveries.why, reasonWords(delivery.reason)],
            [words.deliveries.userId, delivery.userId],
            ...detailFacts(delivery.details),
            [words.deliveries.deliveryId, <code>{delivery.id}</code>],
            [
              words.deliveries.eventId,
              <Link to="/events" search={{ open: delivery.eventId }}>
                <code>{delivery.eventId}</code>
              </Link>,
            ],
          ]}
        />
      </Panel>
      <AttemptList delivery={delivery} />
    </div>
  );
}

/** It opens for its owner: a tab without a session asks the marketplace for one first. */
function linkTo(deliveryId: string): string {
  const { origin, pathname } = globalThis.location;
  return `${origin}${pathname}#/deliveries/${deliveryId}`;
}

/** The details that the marketplace reported. */
function detailFacts(details: unknown): (readonly [string, ReactNode])[] {
  if (typeof details !== "object" || details === null) return [];
  const names: Readonly<Record<string, string>> = words.deliveries.details;
  return Object.entries(details).map(([name, value]) => [
    names[name] ?? name,
    <UserText>{String(value)}</UserText>,
  ]);
}

/** To a webhook's page, by its title; by its id where it is gone. */
function WebhookLink({ webhookId }: { webhookId: string }) {
  const webhooks = useWebhooks();
  const webhook = webhooks.data?.find(({ id }) => id === webhookId);
  if (webhook === undefined) return <code>{webhookId}</code>;
  return (
    <Link to="/webhooks/$webhookId" params={{ webhookId }}>
      <UserText>{webhookTitle(webhook)}</UserText>
    </Link>
  );
}

/** A delivery next to the log. */
export function DeliveryPane(
  props: Omit<DeliveryViewProps, "head" | "isPage"> & { onClose: () => void },
) {
  const { deliveryId, onOpen, onClose } = props;
  return (
    <section className={classes["pane"]} aria-label={words.deliveries.delivery}>
      <DeliveryView
        key={deliveryId}
        deliveryId={deliveryId}
        onOpen={onOpen}
        head={({ title, below, actions }) => (
          <div className={stack["spread"]}>
            <div>
              <h2 className={classes["title"]}>{title}</h2>
              {below}
            </div>
            <div className={stack["row"]}>
              {actions}
              <LinkButton to="/deliveries/$deliveryId" params={{ deliveryId }} variant="default">
                {words.deliveries.wholePage}
              </LinkButton>
              <Button variant="default" onClick={onClose}>
                {words.shared.close}
              </Button>
            </div>
          </div>
        )}
      />
    </section>
  );
}

/** A delivery on a page of its own. */
export function DeliveryPage() {
  const { deliveryId } = useParams({ from: "/deliveries/$deliveryId" });
  const router = useRouter();
  const back = (): void => {
    // Opened by a link of its own, there is nothing to go back to.
    if (router.history.canGoBack()) router.history.back();
    else void router.navigate({ to: "/deliveries" });
  };
  return (
    <DeliveryView
      isPage
      deliveryId={deliveryId}
      onOpen={(id) =>
        void router.navigate({ to: "/deliveries/$deliveryId", params: { deliveryId: id } })
      }
      head={({ title, actions, below }) => (
        // Another delivery is another page: its heading takes the focus, and its tab has another name.
        <PageTitle
          key={deliveryId}
          title={`${title} · ${deliveryId}`}
          below={below}
          actions={
            <>
              {actions}
              <Button variant="default" onClick={back}>
                {words.deliveries.back}
              </Button>
            </>
          }
        >
          {title}
        </PageTitle>
      )}
    />
  );
}
