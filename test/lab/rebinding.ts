import type { Reply } from "../../packages/dispatcher/src/guard/testing/name-server.ts";
import { INNER_IPV6 } from "./network.ts";
import { count, each, expect, type Lab, until } from "./report.ts";
import { create, ended, report } from "./webhooks.ts";

type Answer = (asked: number, family: 4 | 6) => Reply;

const TRIPWIRES = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "172.16.0.1"];

/** How a name turns to a tripwire. `always`: it may also be seen at a public address, by luck. */
const KINDS: readonly {
  name: string;
  always: boolean;
  turn(inner: string, own: string): Answer;
}[] = [
  { name: "flips", always: true, turn: (inner) => () => zero([inner]) },
  {
    name: "alternates",
    always: false,
    turn: (inner, own) => (asked) => zero([asked % 2 === 0 ? own : inner]),
  },
  {
    name: "is public once",
    always: false,
    turn: (inner, own) => (asked) => zero([asked === 0 ? own : inner]),
  },
  { name: "mixes", always: true, turn: (inner, own) => () => zero([own, inner]) },
  {
    name: "hides one behind twenty",
    always: true,
    turn: (inner, own) => () =>
      zero([...Array.from({ length: 20 }, (_, i) => `8.8.4.${i}`), own, inner]),
  },
  { name: "differs by family", always: true, turn: (_inner, own) => () => zero([own, INNER_IPV6]) },
  { name: "has a mapped address", always: true, turn: (inner) => () => zero([`::ffff:${inner}`]) },
  {
    name: "is an alias of localhost",
    always: true,
    turn: () => () => ({ ...zero(["127.0.0.1", "::1"]), cname: "localhost" }),
  },
];

interface Rebound {
  id: string;
  url: string;
  resource: string;
  kind: (typeof KINDS)[number];
}

function zero(addresses: string[]): { addresses: string[]; ttl: number } {
  return { addresses, ttl: 0 };
}

/** Names that are public when they are saved and lead inside afterwards, in all known ways, on all ways out and in. */
export async function rebinding(lab: Lab, rounds: number): Promise<void> {
  const { names, service } = lab;
  const webhooks: Rebound[] = [];
  await each(Array.from({ length: rounds }), async (_, index) => {
    const kind = KINDS[index % KINDS.length];
    if (kind === undefined) return;
    const name = `r${index}.rebind.example.com`;
    const own = ownAddress(index);
    names.set(name, () => zero([own]));
    const url = `http://${name}/`;
    const { body, resource, status } = await create(lab, url);
    expect(lab, status === 201, `${name} could not be saved: ${body.detail}`);
    if (body.id === undefined) return;
    webhooks.push({ id: body.id, url, resource, kind });
    names.set(name, kind.turn(TRIPWIRES[index % TRIPWIRES.length] ?? "", own));
  });
  // The first answers are kept for a second; the name that was saved last tells when all have run out.
  const last = webhooks.at(-1);
  if (last === undefined) return;
  names.set(new URL(last.url).hostname, () => zero(["10.0.0.1"]));
  await until(`${last.url} leads inside`, async () => {
    const { body } = await service.call("POST", "/v1/webhooks/check-url", { url: last.url });
    return body.ok === false ? true : null;
  });

  // Resource by resource: the questions about all names at once would overflow what waits at the name server.
  for (const [resource, some] of Map.groupBy(webhooks, (webhook) => webhook.resource)) {
    await report(lab, [resource]);
    await each(some, (webhook) => allWays(lab, webhook), some.length);
  }
  count(lab, "rebinding: rounds", webhooks.length);
}

async function allWays(lab: Lab, { id, url, resource, kind }: Rebound): Promise<void> {
  const { service } = lab;
  const record = { kind: "webhook", resourceId: resource, url, secret: "x".repeat(48) };
  const ping = await service.call("POST", `/v1/webhooks/${id}/ping`, {});
  const checkedUp = await service.call("POST", `/v1/webhooks/${id}/checkup`);
  const changed = await service.call("PATCH", `/v1/webhooks/${id}`, { url: `${url}changed` });
  const checked = await service.call("POST", "/v1/webhooks/check-url", { url });
  const imported = await service.call("POST", "/v1/import", { records: [record] });
  const delivery = await ended(lab, id);
  await service.call("POST", `/v1/deliveries/${delivery.id}/redeliver`, {});
  const again = await ended(lab, id, "redelivery");
  const ways: [way: string, seen: unknown, refused: unknown][] = [
    ["ping", ping.body.outcome, "blocked"],
    ["check-up", checkedUp.body.verdict, "ping_failed"],
    ["change", changed.status, 422],
    ["check-url", checked.body.ok, false],
    ["import", imported.body.results?.[0]?.status, "rejected"],
    ["delivery", delivery.lastOutcome, "blocked"],
    ["redelivery", again.lastOutcome, "blocked"],
  ];
  for (const [way, seen, refused] of ways) {
    count(lab, `rebinding: ${way}`);
    const holds = seen === refused || !kind.always;
    expect(lab, holds, `${way}: a name that ${kind.name} got ${String(seen)}`);
  }
}

/** Of its own, so that no address is taken for a crowded host. */
function ownAddress(index: number): string {
  return `93.1.${index >> 8}.${index & 255}`;
}
