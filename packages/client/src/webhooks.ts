import { about, answerOf, withQuery, type CallOptions, type Context } from "./call.ts";
import { eachItem, type ListOptions } from "./pages.ts";
import type {
  ChangedWebhook,
  Checkup,
  HeldDeliveries,
  NewWebhook,
  PingResult,
  SampleInput,
  Webhook,
  WebhookChange,
  WebhookInput,
} from "./schemas.ts";

/** The service itself waits 15 s for a receiver. */
const PING_TIMEOUT_MS = 30_000;
/** Twelve requests, one after the other; it begins none after 40 s. */
const CHECKUP_TIMEOUT_MS = 90_000;

export interface ListWebhooksOptions extends ListOptions, CallOptions {
  /** Of this resource only. */
  resourceId?: string;
}

export interface PingOptions extends CallOptions {
  /** `next` signs with the secret that is being rotated in. */
  secret?: "current" | "next";
}

export type CopyResult =
  /** A copy that posts into a chat has no secret. */
  | { resourceId: string; status: "created"; webhookId: string; secret?: string }
  | { resourceId: string; status: "rejected"; code: string; title: string; detail: string };

export function createWebhooks(context: Context) {
  const { api } = context;

  return {
    /** The answer has the secret, null for a chat's, and remarks about the URL that its owner should see. */
    async create(
      resourceId: string,
      webhook: WebhookInput,
      options: CallOptions = {},
    ): Promise<NewWebhook> {
      return await answerOf(
        api.POST("/v1/resources/{id}/webhooks", {
          ...about(context, resourceId, options),
          body: webhook,
        }),
        "id",
      );
    },

    /** Newest first. */
    list(options: ListWebhooksOptions = {}): AsyncGenerator<Webhook, void, undefined> {
      const { resourceId } = options;
      return eachItem(options, async (page) => {
        const common = withQuery(context, page, options);
        if (resourceId === undefined)
          return await answerOf(api.GET("/v1/webhooks", common), "items");
        // The resource's own route says when there is no such resource.
        const params = { path: { id: resourceId }, ...common.params };
        return await answerOf(
          api.GET("/v1/resources/{id}/webhooks", { ...common, params }),
          "items",
        );
      });
    },

    /** Without its secret. */
    async get(id: string, options: CallOptions = {}): Promise<Webhook> {
      return await answerOf(api.GET("/v1/webhooks/{id}", about(context, id, options)));
    },

    /** Left-out fields stay unchanged. Deliveries not yet sent go to the new URL. */
    async change(
      id: string,
      change: WebhookChange,
      options: CallOptions = {},
    ): Promise<ChangedWebhook> {
      return await answerOf(
        api.PATCH("/v1/webhooks/{id}", { ...about(context, id, options), body: change }),
      );
    },

    async delete(id: string, options: CallOptions = {}): Promise<void> {
      await answerOf(api.DELETE("/v1/webhooks/{id}", about(context, id, options)));
    },

    /** To other resources of the same owner, 100 at most; each copy gets its own secret. */
    async copy(
      id: string,
      resourceIds: string[],
      options: CallOptions = {},
    ): Promise<CopyResult[]> {
      const { results } = await answerOf(
        api.POST("/v1/webhooks/{id}/copy", {
          ...about(context, id, options),
          body: { resourceIds },
        }),
        "results",
      );
      // Flat in the API, because that is faster to write; these members come with these states.
      return results as CopyResult[];
    },

    /** Holds its deliveries. */
    async pause(id: string, options: CallOptions = {}): Promise<Webhook> {
      return await answerOf(api.POST("/v1/webhooks/{id}/pause", about(context, id, options)));
    },

    /** Sends, or drops, what was held. */
    async resume(id: string, held: HeldDeliveries, options: CallOptions = {}): Promise<Webhook> {
      return await answerOf(
        api.POST("/v1/webhooks/{id}/resume", { ...about(context, id, options), body: { held } }),
      );
    },

    /** One test request, now. A receiver's bad answer is a result, not an error. */
    async ping(id: string, options: PingOptions = {}): Promise<PingResult> {
      const { secret = "current", ...rest } = options;
      return await answerOf(
        api.POST("/v1/webhooks/{id}/ping", {
          ...about(context, id, { timeoutMs: PING_TIMEOUT_MS, ...rest }),
          body: { secret },
        }),
        "outcome",
      );
    },

    /**
     * An event that did not happen, about the webhook's own resource, once, now. The receiver may act on it. With
     * `dryRun` it is only shown.
     */
    async sendSample(
      id: string,
      sample: SampleInput,
      options: CallOptions = {},
    ): Promise<PingResult> {
      return await answerOf(
        api.POST("/v1/webhooks/{id}/sample", {
          ...about(context, id, { timeoutMs: PING_TIMEOUT_MS, ...options }),
          body: sample,
        }),
        "outcome",
      );
    },

    /** Does its receiver refuse forgeries? A dozen requests, all of them pings; what they find is a result, not an error. */
    async check(id: string, options: CallOptions = {}): Promise<Checkup> {
      return await answerOf(
        api.POST(
          "/v1/webhooks/{id}/checkup",
          about(context, id, { timeoutMs: CHECKUP_TIMEOUT_MS, ...options }),
        ),
      );
    },
  };
}
