import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Webhook } from "@markethook/client";
import { LinkButton, QUIET_BUTTON } from "../shared/buttons.tsx";
import { chosenWords, missingStatus } from "../shared/code-words.ts";
import { StateLabel, UserText, When } from "../shared/inline-text.tsx";
import { lazyPart } from "../shared/lazy-part.tsx";
import stack from "../shared/stack.module.css";
import classes from "./webhooks-page.module.css";
import { formatWord, webhookState } from "./webhook-words.ts";
import { words } from "../words/first-words.ts";
import { formatted, useNow } from "../shared/times.ts";

/** Fetched when it is first opened: dialogs would be a ninth of the list's code. */
const DeleteDialog = lazyPart(async () => (await import("./webhook-dialogs.tsx")).DeleteDialog);

/** One webhook in the list; the whole row leads to its page. */
export function WebhookRow({ webhook, title }: { webhook: Webhook; title: string }) {
  // Null: not opened yet. Once opened it stays, so that the focus comes back when it closes.
  const [deleting, setDeleting] = useState<boolean | null>(null);
  const { word, tone } = webhookState(webhook);
  const { lastAttempt } = webhook.health;
  return (
    <li className={classes["row"]}>
      <div className={classes["words"]}>
        <Link
          className={classes["title"]}
          to="/webhooks/$webhookId"
          params={{ webhookId: webhook.id }}
        >
          <UserText className={`${classes["name"]} ${stack["oneLine"]}`}>{title}</UserText>
        </Link>
        <div className={`${stack["quiet"]} ${stack["oneLine"]}`}>
          {webhook.description === "" ? null : (
            <>
              <UserText>{webhook.url}</UserText>
              <span aria-hidden> · </span>
            </>
          )}
          {formatWord(webhook.format)}
          <span aria-hidden> · </span>
          {chosenWords(webhook.events)}
        </div>
      </div>
      <div className={classes["state"]}>
        <StateLabel tone={tone}>{word}</StateLabel>
      </div>
      <div className={classes["health"]}>
        <Sparkline health={webhook.health} />
        <span className={classes["last"]}>
          {lastAttempt === null ? (
            words.webhooks.nothingSent
          ) : (
            <>
              {lastAttempt.status ??
                (lastAttempt.outcome === "ok"
                  ? words.webhooks.accepted
                  : missingStatus(lastAttempt.outcome))}
              <span aria-hidden> · </span>
              <When at={lastAttempt.at} />
            </>
          )}
        </span>
      </div>
      <div className={classes["actions"]}>
        <LinkButton
          to="/webhooks/$webhookId"
          params={{ webhookId: webhook.id }}
          search={{ tab: "settings" }}
          {...QUIET_BUTTON}
          aria-label={words.webhooks.editThis(title)}
        >
          {words.webhooks.edit}
        </LinkButton>
        <Button
          {...QUIET_BUTTON}
          aria-label={words.webhooks.deleteThis(title)}
          onClick={() => setDeleting(true)}
        >
          {words.webhooks.delete}
        </Button>
      </div>
      {deleting === null ? null : (
        <DeleteDialog
          webhook={webhook}
          opened={deleting}
          onClose={() => setDeleting(false)}
          onDeleted={() => {}}
        />
      )}
    </li>
  );
}

type Hour = Webhook["health"]["hours"][number];

const HOUR_MS = 3_600_000;
const HEIGHT = 20;
/** Least height of a bar and of each of its parts, so that one attempt among thousands is still seen. */
const LEAST = 3;

/**
 * The last day by hours, oldest first. A bar is as high as its hour was busy, and its upper, hatched part failed. A word
 * for each hour is in its hover text, the sum in its label.
 */
function Sparkline({ health }: { health: Webhook["health"] }) {
  const thisHour = useNow(HOUR_MS);
  const sum = health.hours.reduce(
    (total, hour) => ({ ok: total.ok + hour.ok, failed: total.failed + hour.failed }),
    { ok: 0, failed: 0 },
  );
  const most = Math.max(1, ...health.hours.map(({ ok, failed }) => ok + failed));
  return (
    <span
      className={classes["bars"]}
      role="img"
      aria-label={words.webhooks.lastDay(sum.ok, sum.failed)}
    >
      {health.hours.map((hour, index) => {
        const { ok, failed } = barOf(hour, most);
        return (
          <span
            key={index}
            className={classes["hour"]}
            title={titleOf(hour, thisHour - (health.hours.length - 1 - index) * HOUR_MS)}
          >
            {failed === 0 ? null : (
              <span className={classes["failed"]} style={{ height: failed }} />
            )}
            {ok === 0 ? null : <span className={classes["ok"]} style={{ height: ok }} />}
          </span>
        );
      })}
    </span>
  );
}

/** Heights of both parts, in pixels. */
function barOf({ ok, failed }: Hour, most: number): Hour {
  if (ok + failed === 0) return { ok: 0, failed: 0 };
  const parts = ok > 0 && failed > 0 ? 2 : 1;
  const height = Math.max(LEAST * parts, Math.round(((ok + failed) / most) * HEIGHT));
  const least = failed === 0 ? 0 : LEAST;
  const highest = height - (ok === 0 ? 0 : LEAST);
  const upper = Math.min(highest, Math.max(least, Math.round((failed / (ok + failed)) * height)));
  return { ok: height - upper, failed: upper };
}

function titleOf({ ok, failed }: Hour, begin: number): string {
  const time = formatted(begin, {
    hour: "2-digit",
    minute: "2-digit",
  });
  return words.webhooks.hour(time, ok, failed);
}
