import type { AddressInfo } from "node:net";
import { createApp } from "./create-app.ts";
import { createMarkethook, type Markethook, type MarkethookAddress } from "./markethook.ts";
import { createOutbox } from "./outbox.ts";
import { openShop, type ShopOptions } from "./shop.ts";

export interface MarketplaceOptions extends ShopOptions {
  host: string;
  /** 0: a free one. */
  port: number;
  /** Between two tries to reach Markethook, in milliseconds. */
  retryMs: number;
}

export interface Marketplace {
  /** Where it listens, e.g. `http://127.0.0.1:8082`. */
  url: string;
  /** Where Markethook is; before that, reports wait. `embed`: its pages may stand in a frame of ours. */
  connect(address: MarkethookAddress, options: { embed: boolean }): void;
  close(): Promise<void>;
}

/**
 * The sample marketplace. It keeps its data in `folder`, with samples at the first start.
 * @throws as `listen` does, e.g. with the code `EADDRINUSE`
 */
export async function startMarketplace(options: MarketplaceOptions): Promise<Marketplace> {
  const shop = openShop(options);
  const outbox = createOutbox(shop, options.retryMs);
  let markethook: Markethook | null = null;
  let mayEmbed = false;
  const app = await createApp({
    shop,
    outbox,
    markethook: () => markethook,
    mayEmbed: () => mayEmbed,
  });
  await app.listen({ host: options.host, port: options.port });
  const { address, port, family } = app.server.address() as AddressInfo; // It listens on a port.
  return {
    url: family === "IPv6" ? `http://[${address}]:${port}` : `http://${address}:${port}`,
    connect(to, { embed }) {
      markethook = createMarkethook(to);
      mayEmbed = embed;
      outbox.connect(markethook);
    },
    async close() {
      await app.close();
      await outbox.stop();
    },
  };
}
