import type { Webhook } from "@markethook/client";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { LinkButton } from "../shared/buttons.tsx";
import { lazy, Suspense, useState } from "react";
import { chosenWords, missingStatus } from "../shared/code-words.ts";
import { StateLabel, UserText, When } from "../shared/inline-text.tsx";
import { Sparkline } from "./sparkline.tsx";
import classes from "./webhook-row.module.css";
import { formatWord, webhookState } from "./webhook-words.ts";
import { words } from "../words/first-words.ts";

/** Fetched when it is first opened: dialogs are a ninth of what the list would load. */
const DeleteDialog = lazy(async () => {
  const loaded = await import("./delete-dialog.tsx");
  return { default: loaded.DeleteDialog };
});

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
          <UserText>{title}</UserText>
        </Link>
        <div className={classes["about"]}>
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
          variant="subtle"
          color="gray"
          c="dimmed"
          size="compact-sm"
          fw={400}
          aria-label={words.webhooks.editThis(title)}
        >
          {words.webhooks.edit}
        </LinkButton>
        <Button
          variant="subtle"
          color="gray"
          c="dimmed"
          size="compact-sm"
          fw={400}
          aria-label={words.webhooks.deleteThis(title)}
          onClick={() => setDeleting(true)}
        >
          {words.webhooks.delete}
        </Button>
      </div>
      {deleting === null ? null : (
        <Suspense fallback={null}>
          <DeleteDialog
            webhook={webhook}
            opened={deleting}
            onClose={() => setDeleting(false)}
            onDeleted={() => {}}
          />
        </Suspense>
      )}
    </li>
  );
}
