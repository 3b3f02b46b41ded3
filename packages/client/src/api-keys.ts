import { answerOf, callOptions, type CallOptions, type Context } from "./call.ts";
import type { ApiKey, ApiKeyInput, NewApiKey } from "./schemas.ts";

export interface RevokeKeyOptions extends CallOptions {
  /** Also the last key that can make keys. */
  confirm?: boolean;
}

/** All need a key of the scope `admin`. */
export function createApiKeys(context: Context) {
  const { api } = context;

  return {
    /** The key itself is in this answer and nowhere else. */
    async create(input: ApiKeyInput, options: CallOptions = {}): Promise<NewApiKey> {
      return await answerOf(
        api.POST("/v1/api-keys", { body: input, ...callOptions(context, options) }),
        "key",
      );
    },

    async list(options: CallOptions = {}): Promise<ApiKey[]> {
      const { items } = await answerOf(
        api.GET("/v1/api-keys", callOptions(context, options)),
        "items",
      );
      return items;
    },

    /** It may work for one more second. The last one that can make keys is refused with `api_key_last`. */
    async revoke(id: string, options: RevokeKeyOptions = {}): Promise<void> {
      await answerOf(
        api.DELETE("/v1/api-keys/{id}", {
          params: { path: { id }, query: { confirm: options.confirm ?? false } },
          ...callOptions(context, options),
        }),
      );
    },
  };
}
