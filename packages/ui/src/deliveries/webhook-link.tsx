import { Link } from "@tanstack/react-router";
import { useWebhooks } from "../api/use-webhooks.ts";
import { webhookTitle } from "../webhooks/webhook-words.ts";
import { UserText } from "../shared/user-text.tsx";

/** To a webhook's page, by its title; by its id where it is gone. */
export function WebhookLink({ webhookId }: { webhookId: string }) {
  const webhooks = useWebhooks();
  const webhook = webhooks.data?.find(({ id }) => id === webhookId);
  if (webhook === undefined) return <code>{webhookId}</code>;
  return (
    <Link to="/webhooks/$webhookId" params={{ webhookId }}>
      <UserText>{webhookTitle(webhook)}</UserText>
    </Link>
  );
}
