import { given } from "@markethook/protocol/given";
import { answerOf, withQuery, type CallOptions, type Context } from "./call.ts";
import type { UrlCheck, Verification, VerifyInput } from "./schemas.ts";

export function createChecks(context: Context) {
  const { api } = context;

  return {
    /** Checks a URL as saving a webhook does; nothing is saved or sent. */
    async url(
      url: string,
      options: CallOptions & { resourceId?: string; webhookId?: string } = {},
    ): Promise<UrlCheck> {
      const { resourceId, webhookId } = options;
      return await answerOf(
        api.POST("/v1/webhooks/check-url", {
          body: given({ url, resourceId, webhookId }),
          ...withQuery(context, {}, options, { repeatable: true }),
        }),
      );
    },

    /** What is wrong with a request as a receiver saw it; by `secret`, or by a webhook's own. */
    async request(input: VerifyInput, options: CallOptions = {}): Promise<Verification> {
      return await answerOf(
        api.POST("/v1/verify", {
          body: input,
          ...withQuery(context, {}, options, { repeatable: true }),
        }),
      );
    },
  };
}
