import { createServer, type Server } from "node:http";
import type { EventEnvelope } from "@markethook/receiver";
import { createNodeHandler } from "@markethook/receiver/node";
import { listenError } from "../process/listen-error.ts";

/** Such as ` (Jo, 4.99 EUR, order-7)`. */
function detailsOf(payload: EventEnvelope["payload"]): string {
  if (!("details" in payload) || payload.details === undefined) return "";
  const { buyerName, amount, currency, orderId, reason } = payload.details;
  const price = amount === undefined ? undefined : `${amount} ${currency ?? ""}`.trim();
  const known = [buyerName, price, orderId, reason].filter((part) => part !== undefined);
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}

/** A receiver as an owner would write it, on the receiver library; it prints what arrives. */
export async function startSampleReceiver(options: {
  port: number;
  serviceName: string;
  /** The current secret of the sample webhook, and the new one during a rotation. */
  secrets(): Promise<string[]>;
  print(line: string): void;
}) {
  const handler = createNodeHandler({
    serviceName: options.serviceName,
    secrets: () => options.secrets(),
    onEvent({ event, id, attempt }) {
      const { product } = event.payload;
      const by = "user" in event.payload ? ` by user ${event.payload.user.id}` : "";
      const about = `${by}${detailsOf(event.payload)}`;
      options.print(
        `receiver: verified ${event.event} of “${product.title}”${about} · ${id ?? ""} · attempt ${attempt ?? 1}`,
      );
    },
    onRejected({ code, sentence }) {
      options.print(`receiver: refused a request: ${sentence} [${code}]`);
    },
  });
  const server: Server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve, reject) => {
    const place = { host: "127.0.0.1", port: options.port };
    server.once("error", (cause) => reject(listenError(cause, place, "MARKETHOOK_SAMPLE_PORT")));
    server.listen(place, resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
