import { createHmac } from "node:crypto";
import { Pool } from "undici";
import { receiverAddress } from "./addresses.ts";
import { serveCalls } from "./calls.ts";
import { clock } from "./clock.ts";

/**
 * What a client that only sends can reach: the same request as ours in form and size, made and signed once, sent
 * over and over with the fastest client library. No store, no signing, no log.
 */
const calls = {
  async run(input: {
    requests: number;
    port: number;
    /** Of the authority, PEM: sends with https. */
    ca?: string;
    addresses: number;
    secret: string;
    connections: number;
  }): Promise<{ startedAt: number; endedAt: number; failed: number }> {
    const body = JSON.stringify({
      event: "product.user.purchase",
      time: 1767323045,
      nonce: "0123456789abcdef",
      payload: {
        product: {
          id: "bench-1",
          title: "Castle 1",
          subtitle: "A map",
          url: "https://market.example/resource/bench-1",
        },
        user: { id: 123456 },
      },
    });
    const signature = createHmac("sha256", input.secret).update(body).digest("hex");
    const per = Math.max(1, Math.floor(input.connections / input.addresses));
    const pools = Array.from({ length: input.addresses }, (_, index) => {
      const place = `${receiverAddress(index)}:${input.port}`;
      const options = { connections: per, pipelining: 1 };
      if (input.ca === undefined) return new Pool(`http://${place}`, options);
      return new Pool(`https://${place}`, { ...options, connect: { ca: input.ca } });
    });
    let sent = 0;
    let failed = 0;
    const startedAt = clock();
    await new Promise<void>((resolve) => {
      let open = 0;
      const next = (): void => {
        if (sent === input.requests) {
          if (open === 0) resolve();
          return;
        }
        const no = sent;
        sent += 1;
        open += 1;
        const done = (ok: boolean): void => {
          open -= 1;
          if (!ok) failed += 1;
          next();
        };
        pools[no % pools.length]?.dispatch(
          {
            path: "/hooks",
            method: "POST",
            body,
            headers: [
              "User-Agent",
              "bench/1.0",
              "Content-Type",
              "application/json",
              "X-Service-Webhook-Version",
              "1",
              "X-Service-Signature",
              signature,
              "webhook-id",
              `bare-${no}`,
              "webhook-timestamp",
              "1767323045",
              "webhook-signature",
              "v1,0123456789012345678901234567890123456789abc=",
              "X-Service-Hook-Id",
              "wh_0123456789abcdefghij",
              "X-Service-Resource-Id",
              "bench-1",
              "X-Service-Delivery-Id",
              "dlv_0123456789abcdefghij",
              "X-Service-Attempt",
              "1",
            ],
          },
          {
            onRequestStart: () => {},
            onResponseStart: (_controller, status) => {
              if (status !== 200) failed += 1;
            },
            onResponseData: () => {},
            onResponseEnd: () => done(true),
            onResponseError: () => done(false),
          },
        );
      };
      for (let index = 0; index < input.connections; index += 1) next();
    });
    const endedAt = clock();
    await Promise.all(pools.map((pool) => pool.close()));
    return { startedAt, endedAt, failed };
  },
};

export type BareLoopCalls = typeof calls;

serveCalls(calls);
