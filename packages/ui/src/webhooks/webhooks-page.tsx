import type { Resource, Webhook } from "@markethook/client";
import { LinkButton, QUIET_BUTTON } from "../shared/buttons.tsx";
import type { ReactNode } from "react";
import { MOST_WEBHOOKS, useResources, useWebhooks } from "../api/resources-and-webhooks.ts";
import { allChatWords, chats } from "../chat/platforms.ts";
import { useSession } from "../session/session.ts";
import { ErrorNotice } from "../shared/panels.tsx";
import { PageTitle, UnreadView } from "../shared/page.tsx";
import stack from "../shared/stack.module.css";
import { UserText } from "../shared/inline-text.tsx";
import { WebhookRow } from "./webhook-row.tsx";
import classes from "./webhooks-page.module.css";
import { webhookTitles } from "./webhook-words.ts";
import { words } from "../words/first-words.ts";

/** All webhooks of the owner, by resource. */
export function WebhooksPage() {
  const { info } = useSession();
  const webhooks = useWebhooks();
  const resources = useResources();
  const titles = new Map(resources.data?.map(({ id, title }) => [id, title]));
  const only = info.resourceId === null ? null : (titles.get(info.resourceId) ?? info.resourceId);
  const names = webhookTitles(webhooks.data ?? []);
  return (
    <>
      <PageTitle
        title={words.app.webhooks}
        below={
          only === null
            ? words.webhooks.about(chats())
            : words.webhooks.of(
                <UserText className={`${classes["resource"]} ${stack["oneLine"]}`}>
                  {only}
                </UserText>,
              )
        }
        actions={<LinkButton to="/add">{words.webhooks.addWebhook}</LinkButton>}
      />
      {webhooks.data !== undefined && webhooks.error !== null ? (
        <ErrorNotice error={webhooks.error} />
      ) : null}
      {webhooks.data === undefined ? <UnreadView query={webhooks} rows={3} height={78} /> : null}
      {webhooks.data?.length === 0 ? (
        <ul className={classes["cards"]} aria-label={words.webhooks.none}>
          <Card title={words.webhooks.myServer}>{words.webhooks.myServerText}</Card>
          {allChatWords().map(({ chat, about }) => (
            <Card key={chat} title={words.webhooks.aChat(chat)}>
              {about}
            </Card>
          ))}
        </ul>
      ) : null}
      <Without resources={withoutOne(resources.data ?? [], webhooks.data ?? [])} />
      {byResource(webhooks.data ?? []).map(([resourceId, group]) => (
        <section key={resourceId} className={classes["group"]}>
          {info.resourceId === null ? (
            <h2 className={`${classes["heading"]} ${stack["twoLines"]}`}>
              <UserText>{titles.get(resourceId) ?? resourceId}</UserText>
            </h2>
          ) : null}
          <ul
            className={stack["list"]}
            aria-label={words.webhooks.listOf(titles.get(resourceId) ?? resourceId)}
          >
            {group.map((webhook) => (
              <WebhookRow
                key={webhook.id}
                webhook={webhook}
                title={names.get(webhook.id) ?? webhook.id}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** An owner of many resources sees here which of them were forgotten. */
function Without({ resources }: { resources: readonly Resource[] }) {
  if (resources.length === 0) return null;
  return (
    <details className={classes["without"]}>
      <summary>{words.webhooks.withoutOne(resources.length)}</summary>
      <p className={stack["quiet"]}>{words.webhooks.copyOneThere}</p>
      <ul className={stack["list"]} aria-label={words.webhooks.withoutOne(resources.length)}>
        {resources.map(({ id, title }) => (
          <li key={id} className={classes["added"]}>
            <UserText className={stack["oneLine"] ?? ""}>{title}</UserText>
            <LinkButton
              to="/add"
              search={{ resourceId: id }}
              {...QUIET_BUTTON}
              aria-label={words.webhooks.addThis(title)}
            >
              {words.webhooks.add}
            </LinkButton>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** None until an owner has begun, nor where not all webhooks were read. */
function withoutOne(
  resources: readonly Resource[],
  webhooks: readonly Webhook[],
): readonly Resource[] {
  if (webhooks.length === 0 || webhooks.length === MOST_WEBHOOKS) return [];
  const served = new Set(webhooks.map(({ resourceId }) => resourceId));
  return resources.filter(({ id }) => !served.has(id));
}

/** One of the ways to begin. Both lead to the same form, which tells them apart by the URL. */
function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className={classes["card"]}>
      <h2>{title}</h2>
      <p className={stack["dimmed"]}>{children}</p>
      <LinkButton to="/add" variant="default" aria-label={words.webhooks.addThis(title)}>
        {words.webhooks.add}
      </LinkButton>
    </li>
  );
}

function byResource(webhooks: readonly Webhook[]): [string, Webhook[]][] {
  return [...Map.groupBy(webhooks, ({ resourceId }) => resourceId)];
}
