import { about, answerOf, type CallOptions, type Context } from "./call.ts";
import type { RotateInput, Webhook } from "./schemas.ts";

export interface Secrets {
  current: string;
  /** While a rotation is open. */
  next: string | null;
}

export function createSecrets(context: Context) {
  const { api } = context;

  return {
    /** Needs a key of the scope `secrets:read`. */
    async reveal(webhookId: string, options: CallOptions = {}): Promise<Secrets> {
      return await answerOf(
        api.GET("/v1/webhooks/{id}/secret", about(context, webhookId, options)),
      );
    },

    /** The webhook's whole URL, of which it shows only the host. Needs a key of the scope `secrets:read`. */
    async revealUrl(webhookId: string, options: CallOptions = {}): Promise<string> {
      const { url } = await answerOf(
        api.GET("/v1/webhooks/{id}/url", about(context, webhookId, options)),
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
          body: rotation,
          ...about(context, webhookId, options),
        }),
      );
    },

    /** Ends an open rotation with the new secret alone. */
    async switch(webhookId: string, options: CallOptions = {}): Promise<Webhook> {
      return await answerOf(
        api.POST("/v1/webhooks/{id}/secret/switch", about(context, webhookId, options)),
      );
    },

    /** Ends an open rotation with the old secret alone. */
    async cancelRotation(webhookId: string, options: CallOptions = {}): Promise<Webhook> {
      return await answerOf(
        api.DELETE("/v1/webhooks/{id}/secret/rotation", {
          // Done twice it is refused, and would look like a failure.
          ...about(context, webhookId, options, { repeatable: false }),
        }),
      );
    },
  };
}
