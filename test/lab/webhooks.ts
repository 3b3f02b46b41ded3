import type { Answer } from "./service.ts";
import { each, type Lab, until } from "./report.ts";

/** A resource takes 100 webhooks. */
const PER_RESOURCE = 50;
let resources = 0;
let present = { id: "", made: PER_RESOURCE, ready: Promise.resolve() };

/** A resource that has room for this many webhooks more. */
export async function resourceFor(lab: Lab, webhooks = 1): Promise<string> {
  if (present.made + webhooks > PER_RESOURCE) {
    resources += 1;
    const id = `lab-${resources}`;
    present = { id, made: 0, ready: put(lab, id, `owner-${resources}`) };
  }
  const { id, ready } = present;
  present.made += webhooks;
  await ready;
  return id;
}

async function put(lab: Lab, id: string, ownerId: string): Promise<void> {
  const { status } = await lab.service.call("PUT", `/v1/resources/${id}`, {
    title: "Lab",
    ownerId,
  });
  if (status >= 300) throw new Error(`no resource: ${status}`);
}

export async function create(
  lab: Lab,
  url: string,
): Promise<{ status: number; body: Answer; resource: string }> {
  const resource = await resourceFor(lab);
  const answer = await lab.service.call("POST", `/v1/resources/${resource}/webhooks`, { url });
  return { ...answer, resource };
}

/** One event to each of these resources, and so one delivery to each of their webhooks. */
export async function report(lab: Lab, ids: Iterable<string>): Promise<void> {
  await each([...new Set(ids)], async (id) => {
    const event = { event: "product.user.purchase", user: { id: 7 } };
    const { status } = await lab.service.call("POST", `/v1/resources/${id}/events`, event);
    if (status !== 202) throw new Error(`event for ${id}: ${status}`);
  });
}

/** The webhook's newest delivery of this origin, once it has ended. `before`: the id of one that is older. */
export function ended(
  lab: Lab,
  webhookId: string,
  origin: "event" | "redelivery" = "event",
  before = "",
): Promise<NonNullable<Answer["items"]>[number]> {
  return until(`the delivery of ${webhookId} has ended (${origin})`, async () => {
    const { body } = await lab.service.call("GET", `/v1/webhooks/${webhookId}/deliveries?limit=20`);
    const newest = body.items?.find((item) => item.origin === origin);
    if (newest?.id === before) return null;
    return newest !== undefined && ["delivered", "dead", "cancelled"].includes(newest.state)
      ? newest
      : null;
  });
}
