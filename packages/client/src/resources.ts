import { LIMITS } from "@markethook/protocol/limits";
import { about, answerOf, callOptions, withQuery, type CallOptions, type Context } from "./call.ts";
import { cutBatches } from "./cut-batches.ts";
import { ApiError } from "./errors.ts";
import { eachItem, type ListOptions } from "./pages.ts";
import type { Resource, ResourceInput, ResourceItem } from "./schemas.ts";
import { untilAborted } from "./until-aborted.ts";

export interface PutResult {
  id: string;
  status: "created" | "updated";
}

export interface PutManyOptions extends CallOptions {
  /** Per request, at most 1,000. */
  batchSize?: number;
  onProgress?: (progress: { done: number }) => void;
}

export function createResources(context: Context) {
  const { api } = context;

  return {
    /** Creates or replaces. */
    async put(id: string, resource: ResourceInput, options: CallOptions = {}): Promise<PutResult> {
      return await answerOf(
        api.PUT("/v1/resources/{id}", {
          params: { path: { id } },
          body: resource,
          ...callOptions(context, options),
        }),
        "status",
      );
    },

    /**
     * Creates or replaces any number, in batches. Of a batch that is refused nothing is stored; of one that fails for
     * another reason, some may be. Throws at the first of either: a refusal's pointer counts from the first item of all.
     */
    async putMany(
      items: Iterable<ResourceItem> | AsyncIterable<ResourceItem>,
      options: PutManyOptions = {},
    ): Promise<PutResult[]> {
      const results: PutResult[] = [];
      const size = options.batchSize ?? LIMITS.batchItems;
      const given = untilAborted(items, options.signal);
      for await (const batch of cutBatches(given, size, JSON.stringify)) {
        const text = `{"items":[${batch.texts.join(",")}]}`;
        const pending = api.PUT("/v1/resources", {
          body: { items: [] },
          // The texts are made already, to know their size.
          bodySerializer: () => text,
          ...callOptions(context, options),
        });
        const answer = await answerOf(pending, "results").catch((error: unknown) => {
          throw shiftPointer(error, results.length);
        });
        results.push(...answer.results);
        options.onProgress?.({ done: results.length });
      }
      return results;
    },

    async get(id: string, options: CallOptions = {}): Promise<Resource> {
      return await answerOf(api.GET("/v1/resources/{id}", about(context, id, options)));
    },

    /** In order of id. */
    list(options: ListOptions & CallOptions = {}): AsyncGenerator<Resource, void, undefined> {
      return eachItem(options, (page) =>
        answerOf(api.GET("/v1/resources", withQuery(context, page, options)), "items"),
      );
    },

    /** With its webhooks; their open deliveries are cancelled in the background. */
    async delete(id: string, options: CallOptions = {}): Promise<void> {
      await answerOf(
        api.DELETE("/v1/resources/{id}", {
          params: { path: { id } },
          ...callOptions(context, options),
        }),
      );
    },
  };
}

function shiftPointer(error: unknown, by: number): unknown {
  if (!(error instanceof ApiError) || error.pointer === null) return error;
  const shift = (pointer: string): string =>
    pointer.replace(/^\/items\/(\d+)/, (_match, index) => `/items/${Number(index) + by}`);
  return new ApiError(
    {
      ...error.problem,
      pointer: shift(error.pointer),
      errors: error.errors.map((one) => ({ ...one, pointer: shift(one.pointer) })),
    },
    error.retryAfterSeconds,
  );
}
