import { Tabs } from "@mantine/core";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { LazyChart } from "../activity/lazy-chart.tsx";
import { isNotFound } from "../api/answers.ts";
import { useWebhook } from "../api/resources-and-webhooks.ts";
import { DeliveryLog } from "../deliveries/delivery-log.tsx";
import { type LogFilter, withTimes } from "../deliveries/log-filter.ts";
import { ReplayButton } from "../replay/replay-dialog.tsx";
import { useSession } from "../session/session.ts";
import { PingPanel, usePing } from "./ping-panel.tsx";
import { lazyPart } from "../shared/lazy-part.tsx";
import { LoadingView, UnreadView } from "../shared/page.tsx";
import stack from "../shared/stack.module.css";
import { useFreshSecrets } from "../secret/use-secret.ts";
import { SecretTab } from "../secret/secret-tab.tsx";
import { VerifyTab } from "../verify/verify-tab.tsx";
import { FailureGroups } from "./failure-groups.tsx";
import { GivenUpNotice, WebhookNotices } from "./webhook-notices.tsx";
import { NewPanel, remarksOfNew } from "./new-panel.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import type { Tab } from "../session/place.ts";
import classes from "./webhook-page.module.css";
import { WebhookHeader } from "./webhook-header.tsx";
import { words } from "../words/first-words.ts";

/** With the code that makes messages; only a chat's webhook needs it. */
const MessagesTab = lazyPart(async () => (await import("../chat/messages-tab.tsx")).MessagesTab, {
  Waiting: () => <LoadingView rows={1} height={480} />,
  onDemand: true,
});

/** One webhook: what it delivered, its settings, and how its requests are verified. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: "/webhooks/$webhookId" });
  // A new page for each webhook, and not the last one's with other data.
  return <OneWebhook key={webhookId} webhookId={webhookId} />;
}

function OneWebhook({ webhookId }: { webhookId: string }) {
  const {
    tab = "deliveries",
    open = null,
    ...filter
  } = useSearch({ from: "/webhooks/$webhookId" });
  const { from, to } = filter;
  const { client } = useSession();
  const navigate = useNavigate({ from: "/webhooks/$webhookId" });
  const webhook = useWebhook(webhookId);
  const ping = usePing(webhookId);
  const log = useShownLog();
  useFreshSecrets(webhook.data);
  const [isNew, setIsNew] = useState(() => remarksOfNew(webhookId) !== null);
  // An earlier reading stays, but a webhook that was deleted elsewhere is shown as deleted.
  if (webhook.data === undefined || isNotFound(webhook.error)) {
    return <UnreadView query={webhook} rows={3} height={120} isPage />;
  }
  const show = (next: LogFilter, id: string | null): void => {
    const { webhookId: _, ...rest } = next;
    const search = { ...rest, ...(id === null ? {} : { open: id }) };
    // As in the log of all.
    void navigate({ search, replace: id === null || open !== null, resetScroll: false });
  };
  const { format, chat } = webhook.data;
  const deliveries = (
    <>
      <LazyChart
        client={client}
        scope={{ webhookId }}
        log={{ range: filter, onRange: (range) => show(withTimes(filter, range), open) }}
        actions={
          from === undefined || to === undefined ? null : (
            <ReplayButton
              webhookId={webhookId}
              first={{ span: "range", from, to, states: ["dead"], missing: false }}
            >
              {words.webhooks.sendThisTime}
            </ReplayButton>
          )
        }
      />
      <FailureGroups webhook={webhook.data} onShow={log.show} />
      <section ref={log.ref} tabIndex={-1} aria-label={words.webhooks.tabs.deliveries}>
        <DeliveryLog
          filter={{ ...filter, webhookId }}
          open={open}
          onFilter={(next) => show(next, open)}
          onOpen={(id) => show(filter, id)}
        />
      </section>
    </>
  );
  const messages =
    chat === null ? null : <MessagesTab webhook={webhook.data} format={format} saved={chat} />;
  const settings = <SettingsTab webhook={webhook.data} ping={ping} />;
  const secret = <SecretTab webhook={webhook.data} ping={ping} />;
  const verify = <VerifyTab webhook={webhook.data} />;
  const parts: Partial<Record<Tab, ReactNode>> =
    format === "json"
      ? { deliveries, secret, settings, verify }
      : { deliveries, messages, settings };
  return (
    <div className={stack["stack"]}>
      <WebhookHeader webhook={webhook.data} ping={ping} />
      <WebhookNotices webhook={webhook.data} />
      <GivenUpNotice webhook={webhook.data} onShow={log.show} />
      {isNew ? (
        <NewPanel
          webhook={webhook.data}
          onDone={() => setIsNew(false)}
          elsewhere={tab === "secret"}
        />
      ) : null}
      <PingPanel webhook={webhook.data} ping={ping} />
      <Tabs
        // A link can lead to a part that this webhook does not have.
        value={tab in parts ? tab : "deliveries"}
        classNames={{ tab: classes["tab"] ?? "" }}
        keepMounted={false}
        onChange={(next) => {
          // One that is under way still has something to say.
          if (!ping.isPending) ping.dismiss();
          void navigate({
            // The log is found again as it was left.
            search: {
              ...filter,
              ...(open === null ? {} : { open }),
              // The name of a tab.
              ...(next === "deliveries" ? {} : { tab: next as Tab }),
            },
            replace: true,
            resetScroll: false,
          });
        }}
      >
        <Tabs.List aria-label={words.webhooks.parts}>
          {Object.keys(parts).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {words.webhooks.tabs[name as Tab]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(parts).map(([name, part]) => (
          <Tabs.Panel key={name} value={name} pt="lg">
            {part}
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}

/** For buttons above a log that narrow it: most often it is below the screen, and nothing would seem to happen. */
function useShownLog() {
  const log = useRef<HTMLElement>(null);
  const isWanted = useRef(false);
  const scroll = (): void => {
    if (log.current === null || !isWanted.current) return;
    isWanted.current = false;
    log.current.scrollIntoView();
    // The next Tab goes on from there.
    log.current.focus({ preventScroll: true });
  };
  return {
    /** Of the element around the log. */
    ref(element: HTMLElement | null): void {
      log.current = element;
      scroll();
    },
    /** Brings the log onto the screen, or as soon as there is one. */
    show(): void {
      isWanted.current = true;
      scroll();
    },
  };
}
