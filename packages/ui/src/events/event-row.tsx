import type { EventSummary } from "@markethook/client";
import { Group, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { keys, useRead } from "../api/query-cache.ts";
import { useResources, useWebhooks } from "../api/resources-and-webhooks.ts";
import { ReplayButton } from "../replay/replay-dialog.tsx";
import { eventTitle } from "../shared/code-words.ts";
import { StateLabel, type Tone, UserText, When } from "../shared/inline-text.tsx";
import { ErrorNotice } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import { withLocalTimes } from "../shared/times.ts";
import { webhookTitle } from "../webhooks/webhook-words.ts";
import { fromService } from "../words/rich.ts";
import { words } from "../words/words.ts";
import classes from "./events-page.module.css";

/** One event, which opens to its results. */
export function EventRow(props: { event: EventSummary; opened: boolean; onToggle: () => void }) {
  const { event, opened, onToggle } = props;
  const id = useId();
  return (
    <li>
      <UnstyledButton
        className={classes["button"] ?? ""}
        aria-expanded={opened}
        aria-controls={id}
        onClick={onToggle}
      >
        <span className={classes["mark"]} data-opened={opened || undefined} aria-hidden>
          ›
        </span>
        <span className={classes["event"]}>
          {eventTitle(event.event)}
          {event.userId === null ? null : (
            <span className={stack["quiet"]}> {words.deliveries.user(event.userId)}</span>
          )}
        </span>
        <span className={classes["resource"]}>
          <ResourceTitle resourceId={event.resourceId} />
        </span>
        <span className={classes["when"]}>
          <When at={event.acceptedAt} />
        </span>
      </UnstyledButton>
      <div id={id} hidden={!opened}>
        {opened ? <ExplanationLines eventId={event.id} /> : null}
      </div>
    </li>
  );
}

function ResourceTitle({ resourceId }: { resourceId: string }) {
  const resources = useResources();
  const title = resources.data?.find(({ id }) => id === resourceId)?.title;
  return <UserText>{title ?? resourceId}</UserText>;
}

const TONES: Readonly<Record<string, Tone>> = {
  sent: "good",
  pending: "busy",
  waiting: "busy",
  held: "quiet",
  not_chosen: "quiet",
  paused_since: "quiet",
  disabled: "bad",
  created_later: "quiet",
  deleted: "quiet",
  blocked_address: "bad",
  failed: "bad",
  cancelled: "quiet",
};

/** Verdicts that hold from a moment on; others happened at one. */
const LASTING: ReadonlySet<string> = new Set(["held", "paused_since", "disabled"]);

/** One line per webhook: the event's result there, and why. */
export function ExplanationLines({ eventId }: { eventId: string }) {
  const explanation = useRead(keys.explanation(eventId), (client, signal) =>
    client.events.explain(eventId, { signal }),
  );
  const webhooks = useWebhooks();
  // An earlier reading stays if it cannot be read again.
  if (explanation.error !== null && explanation.data === undefined) {
    return (
      <div className={classes["message"]}>
        <ErrorNotice error={explanation.error} />
      </div>
    );
  }
  if (explanation.data === undefined) {
    return (
      <p className={classes["message"]} role="status">
        {words.events.looking}
      </p>
    );
  }
  if (explanation.data.webhooks.length === 0) {
    return <p className={classes["message"]}>{words.events.noWebhook}</p>;
  }
  const since = Math.floor(Date.parse(explanation.data.event.acceptedAt) / 1000);
  const names: Readonly<Record<string, string>> = words.events.verdicts;
  return (
    <ul className={classes["lines"]}>
      {explanation.data.webhooks.map((line) => {
        const tone = TONES[line.verdict] ?? "quiet";
        const webhook = webhooks.data?.find(({ id }) => id === line.webhookId);
        const title = webhook === undefined ? line.url : webhookTitle(webhook);
        return (
          <li key={line.webhookId} className={classes["line"]}>
            <span>
              <StateLabel tone={tone}>{names[line.verdict] ?? line.verdict}</StateLabel>
            </span>
            <div className={classes["words"]}>
              <UserText className={classes["title"] ?? ""}>{title}</UserText>
              {title === line.url ? null : (
                <UserText className={classes["url"] ?? ""}>{line.url}</UserText>
              )}
              <p className={stack["quiet"]}>
                {words.events.sentences[line.verdict] ?? fromService(withLocalTimes(line.sentence))}
                {line.since === undefined ? null : (
                  <>
                    {" "}
                    {(LASTING.has(line.verdict) ? words.events.since : words.events.at)(
                      <When at={line.since} exact />,
                    )}
                  </>
                )}
              </p>
            </div>
            <Group component="span" align="stretch" wrap="nowrap" fz="sm">
              {line.missing === true ? (
                // The event never had a delivery to this webhook, and can have one, like the events after it.
                <ReplayButton
                  webhookId={line.webhookId}
                  first={{ span: "since", since, states: ["dead"], missing: true }}
                >
                  {words.events.sendMissing}
                </ReplayButton>
              ) : null}
              {line.deliveryId === undefined ? null : (
                <Link to="/deliveries/$deliveryId" params={{ deliveryId: line.deliveryId }}>
                  {words.deliveries.delivery}
                </Link>
              )}
              {line.behindDeliveryId === undefined ? null : (
                <Link to="/deliveries/$deliveryId" params={{ deliveryId: line.behindDeliveryId }}>
                  {words.events.theOneBefore}
                </Link>
              )}
            </Group>
          </li>
        );
      })}
    </ul>
  );
}
