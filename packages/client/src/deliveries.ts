import { about, answerOf, withQuery, type CallOptions, type Context } from "./call.ts";
import { type StreamOptions, streamDeliveries } from "./delivery-stream.ts";
import { eachItem, type ListOptions } from "./pages.ts";
import type {
  Activity,
  ActivityFilter,
  Delivery,
  DeliveryDetail,
  DeliveryFilter,
  Failures,
  StreamFilter,
} from "./schemas.ts";

export interface RedeliverOptions extends CallOptions {
  /** Also after a later event about the same buyer was sent. */
  confirm?: boolean;
}

export function createDeliveries(context: Context) {
  const { api } = context;

  return {
    /** Newest first. `from` and `to` are Unix seconds. */
    list(
      filter: DeliveryFilter = {},
      options: ListOptions & CallOptions = {},
    ): AsyncGenerator<Delivery, void, undefined> {
      return eachItem(options, (page) =>
        answerOf(
          api.GET("/v1/deliveries", withQuery(context, { ...filter, ...page }, options)),
          "items",
        ),
      );
    },

    /** As they are made and change; see `StreamOptions`. */
    stream: (
      filter: StreamFilter = {},
      options: StreamOptions = {},
    ): AsyncGenerator<Delivery, void, undefined> => streamDeliveries(context, filter, options),

    /** The newest failed deliveries of a webhook, grouped by cause. */
    async failures(webhookId: string, options: CallOptions = {}): Promise<Failures> {
      return await answerOf(
        api.GET("/v1/webhooks/{id}/failures", about(context, webhookId, options)),
      );
    },

    /** Counts of requests, and how long replies took, for charts. `from` and `to` are Unix seconds. */
    async activity(filter: ActivityFilter = {}, options: CallOptions = {}): Promise<Activity> {
      return await answerOf(api.GET("/v1/activity", withQuery(context, filter, options)));
    },

    /** With each attempt's exact request and answer. */
    async get(id: string, options: CallOptions = {}): Promise<DeliveryDetail> {
      return await answerOf(api.GET("/v1/deliveries/{id}", about(context, id, options)));
    },

    /** Sends an ended one again, as a new delivery of the same event. Answers the new one's id. */
    async redeliver(id: string, options: RedeliverOptions = {}): Promise<{ deliveryId: string }> {
      return await answerOf(
        api.POST("/v1/deliveries/{id}/redeliver", {
          body: { confirm: options.confirm ?? false },
          ...about(context, id, options),
        }),
        "deliveryId",
      );
    },

    /**
     * Sends a pending one now, after `earlier` ones about the same buyer, which go now too. If the attempt fails, its
     * retry schedule is as it was before.
     */
    async sendNow(
      id: string,
      options: CallOptions = {},
    ): Promise<{ deliveryId: string; earlier: number }> {
      return await answerOf(
        api.POST("/v1/deliveries/{id}/send-now", about(context, id, options, { repeatable: true })),
        "deliveryId",
      );
    },
  };
}
