import type { WebhookInput } from "@markethook/client";
import { NativeSelect } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Fragment, useEffect, useState } from "react";
import { given } from "@markethook/protocol/given";
import { DIMMED_BUTTON, LinkButton } from "../shared/buttons.tsx";
import { allChatWords, chats } from "../chat/platforms.ts";
import { keys } from "../api/query-cache.ts";
import { useResources } from "../api/resources-and-webhooks.ts";
import { keepDraft, readDraft } from "../session/drafts.ts";
import { useSession } from "../session/session.ts";
import { MessageView, PageTitle, UnreadView } from "../shared/page.tsx";
import { Panel } from "../shared/panels.tsx";
import { rememberNew } from "./new-panel.tsx";
import { EMPTY, FIELDS, useWebhookForm, WebhookForm, type WebhookValues } from "./webhook-form.tsx";
import { words } from "../words/first-words.ts";

const DRAFT = "add";
type Draft = Partial<WebhookValues> & { resourceId?: string };

export function AddPage() {
  const { client } = useSession();
  const { resourceId: asked } = useSearch({ from: "/add" });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const resources = useResources();
  // As it was kept below; what is not there is as at first.
  const [{ resourceId: drafted, ...typed }] = useState(() => (readDraft(DRAFT) ?? {}) as Draft);
  const form = useWebhookForm({ ...EMPTY, ...typed });
  const isEmpty = FIELDS.every(
    (field) => field === "events" || form.values[field] === EMPTY[field],
  );
  const [isAdded, setIsAdded] = useState(false);
  // It may have been deleted since, or not be of this session.
  const kept = resources.data?.find(({ id }) => id === drafted) ?? resources.data?.[0];
  const resourceId = asked ?? kept?.id ?? null;
  const choices = resources.data?.map(({ id, title }) => ({ value: id, label: title })) ?? [];
  const isListed = choices.some(({ value }) => value === resourceId);
  // A link may name a resource that was deleted, or is not among those listed. Without an option for it the field would
  // show the first one.
  if (!isListed && asked !== undefined) choices.unshift({ value: asked, label: asked });
  useEffect(() => {
    if (resourceId === null) return;
    keepDraft(DRAFT, isEmpty || isAdded ? null : { ...form.values, resourceId });
  }, [isEmpty, form.values, isAdded, resourceId]);
  const adding = useMutation({
    mutationFn: async (values: WebhookValues) =>
      // Without chosen events: the service knows which are best for what stands behind the URL. Else the form's choices.
      await client.webhooks.create(resourceId ?? "", given(values) as WebhookInput),
    // Also after an error, as its answer may have been lost: the form then remarks on another with the same URL.
    onSettled: async () => await queries.invalidateQueries({ queryKey: keys.urlChecks() }),
    onSuccess: async (webhook) => {
      setIsAdded(true);
      keepDraft(DRAFT, null);
      rememberNew(webhook.id, webhook.remarks);
      if (webhook.secret !== null) {
        queries.setQueryData(keys.secret(webhook.id), { current: webhook.secret, next: null });
      }
      void queries.invalidateQueries({ queryKey: keys.webhooks() });
      await navigate({ to: "/webhooks/$webhookId", params: { webhookId: webhook.id } });
    },
  });
  return (
    <>
      <PageTitle title={words.webhooks.addTitle} />
      {resources.data === undefined ? <UnreadView query={resources} rows={1} height={320} /> : null}
      {resources.data?.length === 0 ? (
        <MessageView small title={words.webhooks.noResource}>
          {words.webhooks.noResourceText}
        </MessageView>
      ) : null}
      {resourceId === null ? null : (
        <Panel
          title={words.webhooks.yourServer}
          about={
            <>
              {words.webhooks.yourServerText(chats())}
              {allChatWords().map(({ chat, find }) => (
                <Fragment key={chat}>
                  <br />
                  {find}
                </Fragment>
              ))}
            </>
          }
        >
          <WebhookForm
            fresh
            form={form}
            savedUrl=""
            resourceId={resourceId}
            submitLabel={words.webhooks.addWebhook}
            busy={adding.isPending}
            error={adding.error}
            onSubmit={(values) => adding.mutate(values)}
            before={
              resources.data === undefined || choices.length < 2 ? null : (
                <NativeSelect
                  label={words.webhooks.resource}
                  value={resourceId}
                  // In the address, so that a reload and Back keep it.
                  onChange={(event) =>
                    void navigate({
                      to: "/add",
                      search: { resourceId: event.currentTarget.value },
                      replace: true,
                      resetScroll: false,
                    })
                  }
                  data={choices}
                />
              )
            }
            secondary={
              <LinkButton to="/" {...DIMMED_BUTTON}>
                {words.shared.cancel}
              </LinkButton>
            }
          />
        </Panel>
      )}
    </>
  );
}
