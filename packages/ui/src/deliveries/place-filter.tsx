import { NativeSelect } from "@mantine/core";
import { useResources, useWebhooks } from "../api/resources-and-webhooks.ts";
import { webhookTitles } from "../webhooks/webhook-words.ts";
import { words } from "../words/words.ts";

interface Place {
  resourceId?: string | undefined;
  webhookId?: string | undefined;
}

/** Narrows the log of all to a resource, or to one webhook of it. */
export function PlaceFilter(props: { place: Place; onPlace: (place: Required<Place>) => void }) {
  const { resourceId, webhookId } = props.place;
  const webhooks = useWebhooks().data ?? [];
  const resources = useResources().data ?? [];
  const titles = webhookTitles(webhooks);
  const groups = resources.map(({ id, title }) => ({
    group: title,
    items: [
      { value: `resource ${id}`, label: words.deliveries.allOf(title) },
      ...webhooks
        .filter((webhook) => webhook.resourceId === id)
        .map((webhook) => ({
          value: `webhook ${webhook.id}`,
          label: titles.get(webhook.id) ?? "",
        })),
    ],
  }));
  const value =
    webhookId === undefined
      ? resourceId === undefined
        ? ""
        : `resource ${resourceId}`
      : `webhook ${webhookId}`;
  return (
    <NativeSelect
      // The same with and without what it lists, so that nothing moves when that comes.
      w="16rem"
      maw="100%"
      aria-label={words.deliveries.place}
      data={[{ value: "", label: words.deliveries.allPlaces }, ...groups]}
      value={value}
      onChange={(event) => {
        const [, kind, id] = /^(\w+) (.*)$/.exec(event.currentTarget.value) ?? [];
        props.onPlace({
          resourceId: kind === "resource" ? id : undefined,
          webhookId: kind === "webhook" ? id : undefined,
        });
      }}
    />
  );
}
