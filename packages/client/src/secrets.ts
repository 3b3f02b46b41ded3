import { answerOf, callOptions, ownerQuery, type CallOptions, type Context } from "./call.ts";
import type { RotateInput, Webhook } from "./schemas.ts";

export interface Secrets {
  current: string;
  /** While a rotation is open. */
  next: string | null;
}

export function createSecrets(context: Context) {
  const { api } = context;
  const of = (id: string) => ({ path: { id }, query: ownerQuery(context) });

  return {
    /** Needs a key of the scope `secrets:read`. */
    async reveal(webhookId: string, options: CallOptions = {}): Promise<Secrets> {
      return await answerOf(
        api.GET("/v1/webhooks/{id}/secret", {
          params: of(webhookId),
          ...callOptions(context, options),
        }),
      );
    },

    /** The webhook's whole URL, of which it shows only the host. Needs a key of the scope `secrets:read`. */
    async revealUrl(webhookId: string, options: CallOptions = {}): Promise<string> {
      const { url } = await answerOf(
        api.GET("/v1/webhooks/{id}/url", {
          params: of(webhookId),
          ...callOptions(context, options),
        }),
      );
      return url;
    },

    /** Gives a webhook a new secret. By default both sign for a day, or until `switch`. */
    async rotate(
      webhookId: string,
      rotation: RotateInput = {},
      options: CallOptions = {},
    ): Promise<{ webhook: Webhook; secret: string }> {
      return await answerOf(
        api.POST("/v1/webhooks/{id}/secret/rotate", {
          params: of(webhookId),
          body: rotation,
          ...callOptions(context, options),
        }),
      );
    },

    /** Ends an open rotation with the new secret alone. */
    async switch(webhookId: string, options: CallOptions = {}): Promise<Webhook> {
      return await answerOf(
        api.POST("/v1/webhooks/{id}/secret/switch", {
          params: of(webhookId),
          ...callOptions(context, options),
        }),
      );
    },

    /** Ends an open rotation with the old secret alone. */
    async cancelRotation(webhookId: string, options: CallOptions = {}): Promise<Webhook> {
      return await answerOf(
        api.DELETE("/v1/webhooks/{id}/secret/rotation", {
          params: of(webhookId),
          // Done twice it is refused, and would look like a failure.
          ...callOptions(context, options, { repeatable: false }),
        }),
      );
    },
  };
}
