import { parseDeliveryId, type RenderedRequest } from "@markethook/protocol";
import { type Sender, startSigned } from "@markethook/dispatcher";
import type { Backend } from "./backend.ts";
import type { Choices } from "./choices.ts";
import type { Machine } from "./machine.ts";
import type { Oracles } from "./oracles.ts";
import type { Receivers } from "./receivers.ts";
import type { Timeline } from "./timeline.ts";

type RequestOwner = Parameters<Sender["start"]>[1];
type SendResult = Parameters<RequestOwner["ended"]>[0];

export interface Written {
  seq: number;
  tag: string;
  webhookNo: number;
  /** Counted from 1. */
  attempt: number;
  body: string;
  /** To a chat: it differs from what other webhooks get of the same event. */
  isMessage: boolean;
}

const IDS = /X-Service-Delivery-Id: (\S+)\r\nX-Service-Attempt: (\d+)\r\n/;
const WEBHOOK = /(?:\/w|[?&]thread_id=10*)(\d+)/;

/** In place of sockets: a request is dialled, written, arrives, and is answered, each some time later. */
export function simulatedSender(options: {
  timeline: Timeline;
  machine: Machine;
  random: Choices;
  receivers: Receivers;
  backend: Pick<Backend, "deliveryOf">;
  oracles: Oracles;
  timeoutMs: number;
}): Sender {
  const { timeline, machine, random, receivers, oracles } = options;
  let sockets = 0;
  let closed = false;

  function start(request: RenderedRequest, owner: RequestOwner): void {
    const startedAt = machine.monotonic(timeline.now);
    const webhookNo = Number(WEBHOOK.exec(request.url)?.[1]);
    const { address, channel } = receivers.plan(webhookNo);
    const eventSeq = channel === undefined ? null : eventOfMessage(request);
    const ids = eventSeq === null ? idsOf(request) : idsOfMessage(webhookNo, eventSeq);
    const { seq, tag, attempt } = ids;
    if (channel !== undefined && eventSeq !== null) oracles.chatStarted(machine, channel, eventSeq);
    let over = false;
    let sent = false;
    let heldBy: number | null = null;
    sockets += 1;

    const end = (result: Partial<SendResult>): void => {
      if (over) return;
      over = true;
      deadline.cancel();
      sockets -= 1;
      const totalMs = Math.round(machine.monotonic(timeline.now) - startedAt);
      const full: SendResult = {
        status: null,
        category: null,
        detail: null,
        sent,
        headers: [],
        body: Buffer.alloc(0),
        bodyTruncated: false,
        timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs },
        reusedConnection: false,
        address,
        ...result,
      };
      if (sent || full.category === "connection_refused") {
        oracles.answered(machine, { seq, tag, attempt, heldBy }, full);
      }
      owner.ended(full);
    };

    const deadline = timeline.timer(options.timeoutMs, () => end({ category: "timeout" }));
    timeline.after(random.between(0.3, 3), machine, () => {
      if (over) return;
      if (closed) return end({ category: "stopped" });
      if (owner.mayReach?.(address) === false) return end({ category: "address_unconfirmed" });
      if (!owner.mayWrite()) return end({ category: "lease_lost", address: null });
      const reaction = receivers.react(webhookNo, timeline.now);
      heldBy = oracles.dialled(machine, { seq, tag, webhookNo });
      if (reaction.category === "connection_refused") {
        timeline.after(reaction.ms, machine, () => end({ category: "connection_refused" }));
        return;
      }
      sent = true;
      const isMessage = channel !== undefined;
      const written: Written = { ...ids, webhookNo, body: request.body, isMessage };
      oracles.written(machine, written);
      const { ms, status, category, headers, body = "" } = reaction;
      if (status === 429 && channel !== undefined) oracles.channelFull(machine, channel);
      if (ms === Infinity) return;
      // The receiver acts on it whether or not the sender still lives.
      timeline.after(ms, null, () => {
        if (status !== null) oracles.receiverAnswered({ seq, tag }, status);
        timeline.after(random.between(0.2, 2), machine, () => {
          if (status === 429 && channel !== undefined) oracles.chatTold(machine, channel, body);
          end({ status, category, headers, body: Buffer.from(body) });
        });
      });
    });
  }

  function idsOfMessage(webhookNo: number, eventSeq: number): ReturnType<typeof idsOf> {
    const { seq, tag, attempts } = options.backend.deliveryOf(webhookNo, eventSeq);
    return { seq, tag, attempt: attempts + 1 };
  }

  return {
    send: (request, mayWrite, rules) =>
      new Promise((ended) => start(request, { mayWrite, ended, ...rules })),
    start,
    startSigned: (unsigned, owner) => startSigned(start, unsigned, owner),
    openSockets: () => sockets,
    threads: () => 0,
    right: null,
    close() {
      closed = true;
    },
  };
}

function idsOf({ head }: RenderedRequest): { seq: number; tag: string; attempt: number } {
  const [, id = "", attempt = ""] = IDS.exec(head) ?? [];
  const parsed = parseDeliveryId(id);
  if (parsed === null) throw new Error(`a request names no delivery: ${head}`);
  return { ...parsed, attempt: Number(attempt) };
}

/** The title of its one embed, see `CHAT_OPTIONS`. */
function eventOfMessage({ body }: RenderedRequest): number {
  const { embeds } = JSON.parse(body) as { embeds: [{ title: string }] };
  return Number(embeds[0].title);
}
