import { ApiError, createClient } from "@markethook/client";
import type { Report, SoldResource } from "./shop-data.ts";

export interface MarkethookAddress {
  /** Of the service, e.g. `http://127.0.0.1:8080`. */
  baseUrl: string;
  apiKey: string;
}

/** All that this marketplace asks of Markethook. */
export interface Markethook {
  /** @throws when it is not stored; see `isRefused` */
  report(report: Report): Promise<{ eventId: string; webhooks: number | null }>;
  tell(resource: SoldResource): Promise<void>;
  /** A link to an owner's webhooks page, for one use within minutes. */
  openWebhooksPage(asked: AskedPage): Promise<string>;
}

interface AskedPage {
  ownerId: string;
  /** Null: all of the owner's. */
  resourceId: string | null;
  /** The place on it, as Markethook's own pages name it; null: where it begins. */
  path: string | null;
  /** Where its way back leads. */
  returnUrl: string;
}

/** Nobody waits longer for a page; the outbox tries again by itself. */
const TIMEOUT_MS = 2000;

export function createMarkethook({ baseUrl, apiKey }: MarkethookAddress): Markethook {
  const client = createClient({ baseUrl, apiKey, timeoutMs: TIMEOUT_MS, retries: 0 });
  return {
    async report({ resourceId, event, key }) {
      const result = await client.events.report(resourceId, event, { idempotencyKey: key });
      // A duplicate was stored by an earlier try whose answer was lost.
      const webhooks = result.status === "accepted" ? result.deliveries : null;
      return { eventId: result.eventId, webhooks };
    },
    async tell({ id, title, subtitle, ownerId, versions }) {
      const last = versions.at(-1);
      if (last === undefined) return;
      const { version, time, size, fileType, branch } = last;
      const fileVersion = { version, id: last.id, time, size, fileType, branch };
      await client.resources.put(id, { title, subtitle, ownerId, fileVersion });
    },
    async openWebhooksPage({ ownerId, resourceId, path, returnUrl }) {
      const session = await client.portalSessions.create({
        ownerId,
        ...(resourceId === null ? {} : { resourceId }),
        // Passed on as it came: Markethook refuses what is not a place on its pages.
        ...(path === null ? {} : { path }),
        returnUrl,
      });
      return session.url;
    },
  };
}

const REFUSALS: ReadonlySet<number> = new Set([400, 404, 409, 413, 422]);

/** Whether it would be refused each time. Anything else, a wrong key included, may pass later. */
export function isRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && REFUSALS.has(error.status);
}
