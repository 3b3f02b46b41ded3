import { type ErrorCode, errorEntry } from "@markethook/protocol/errors";
import { given } from "@markethook/protocol/given";
import createOpenApiClient, {
  type Client as ApiClient,
  defaultPathSerializer,
} from "openapi-fetch";
import { createApiKeys } from "./api-keys.ts";
import { createAudit } from "./audit.ts";
import { answerOf, callOptions, type CallOptions, type Context } from "./call.ts";
import { createChecks } from "./checks.ts";
import { createDeliveries } from "./deliveries.ts";
import { ApiError } from "./errors.ts";
import { createEvents } from "./events.ts";
import type { paths } from "./generated/api.ts";
import { createImports } from "./imports.ts";
import { createNotices } from "./notices.ts";
import { createPortalSessions } from "./portal-sessions.ts";
import { createReplay } from "./replay.ts";
import { createResources } from "./resources.ts";
import type { RetrySettings } from "./retry-policy.ts";
import type { OperatorOverview } from "./schemas.ts";
import { createSecrets } from "./secrets.ts";
import { createSendWaiting } from "./send-waiting.ts";
import { createStoredEvents } from "./stored-events.ts";
import { createTransport, type Fetch } from "./transport.ts";
import { createUsers } from "./users.ts";
import { createWebhooks } from "./webhooks.ts";

export interface ClientOptions extends Partial<RetrySettings> {
  /** Where the service is, e.g. `https://hooks.market.example`; with or without `/v1`. */
  baseUrl: string;
  /** `mh_…`, or a function that returns it, called at each try. Null only for calls that need none. */
  apiKey: string | (() => string | Promise<string>) | null;
  /** Of one try, from the wait for its turn to the last byte of the answer. Default 15,000. */
  timeoutMs?: number;
  /** Instead of the global one. */
  fetch?: Fetch;
}

export type Client = ReturnType<typeof createClient>;

const DEFAULTS = { timeoutMs: 15_000, retries: 4, backoffMs: 250, maxWaitMs: 30_000 };

/**
 * A client of Markethook's API. Its calls throw `ApiError` when the service refuses, `UnreachableError` when no answer
 * came, and `UnexpectedAnswerError` when something else answered. Calls that are safe to repeat are repeated first.
 */
export function createClient(options: ClientOptions) {
  const { baseUrl, apiKey, fetch = globalThis.fetch, ...limits } = options;
  if (typeof apiKey !== "function" && apiKey !== null) checkKey(apiKey);
  const send = createTransport({
    ...DEFAULTS,
    // Plain JavaScript passes a setting that is not set, which means the default.
    ...given(limits),
    fetch: (request, init) => fetch(request, init),
    apiKey: async () => (typeof apiKey === "function" ? checkKey(await apiKey()) : apiKey),
  });
  const api: ApiClient<paths> = createOpenApiClient<paths>({
    baseUrl: checkedBaseUrl(baseUrl),
    pathSerializer: serializePath,
    fetch: send(),
    headers: { accept: "application/json" },
    // A redirect would repeat a POST as a GET, and show the key to wherever it leads.
    redirect: "manual",
  });
  const everybody: Context = { api, send, openStream: send.openStream, ownerId: null };

  return {
    ...ofOwner(everybody),
    events: createEvents(everybody),
    resources: createResources(everybody),
    apiKeys: createApiKeys(everybody),
    imports: createImports(everybody),
    users: createUsers(everybody),
    portalSessions: createPortalSessions(everybody),

    /** How the service is doing. Needs the scope `operator:read`. */
    async operator(options: CallOptions = {}): Promise<OperatorOverview> {
      return await answerOf(api.GET("/v1/operator", callOptions(everybody, options)));
    },

    /** Sees and touches only what belongs to this owner; other owners' things are absent. */
    forOwner(ownerId: string) {
      // Plain JavaScript may pass null or undefined, which would mean everybody.
      if (ownerId === "" || ((ownerId as unknown) ?? null) === null) {
        throw new TypeError(
          "forOwner needs the owner's id: without one it would act for everybody.",
        );
      }
      const context = { ...everybody, ownerId };
      const { get, list } = createResources(context);
      return { ...ofOwner(context), resources: { get, list }, events: createStoredEvents(context) };
    },

    /** Whether the process is alive. Needs no key. */
    async health(options: CallOptions = {}): Promise<{ status: string }> {
      return await answerOf(api.GET("/healthz", callOptions(everybody, options)));
    },

    /** Whether this instance should get requests; throws an `ApiError` `not_ready` if not. Needs no key. */
    async readiness(
      options: CallOptions = {},
    ): Promise<{ status: string; checks: Record<string, string> }> {
      return await answerOf(api.GET("/readyz", callOptions(everybody, { retries: 0, ...options })));
    },

    /** Every route, typed, by method and path: see openapi-fetch. Time limits and retries are this client's. */
    api,
  };
}

function ofOwner(context: Context) {
  return {
    webhooks: createWebhooks(context),
    secrets: createSecrets(context),
    deliveries: createDeliveries(context),
    checks: createChecks(context),
    replay: createReplay(context),
    sendWaiting: createSendWaiting(context),
    notices: createNotices(context),
    audit: createAudit(context),
  };
}

/** Returns the key, or throws without repeating it. `fetch` would name a key that fits no header in its error. */
function checkKey(key: string): string {
  // Plain JavaScript passes what an environment variable that is not set gives.
  if (key === "" || (key as unknown) === undefined) {
    throw new TypeError(
      "apiKey is empty. Is the environment variable set that it comes from? Null is for calls that need no key.",
    );
  }
  if (/[^\x20-\x7e]/.test(String(key).trim())) {
    throw new TypeError(
      "apiKey has a line break, or a character that is not ASCII. Was more copied than the key?",
    );
  }
  return key;
}

function checkedBaseUrl(baseUrl: string): string {
  // Plain JavaScript may pass undefined.
  const given = (baseUrl as string | undefined) ?? "";
  if (/^https?:\/\/[^/?#]*@/i.test(given)) {
    throw new TypeError("baseUrl has a user name or a password in it, which no request can have.");
  }
  const root = given.replace(/\/+$/, "").replace(/\/v1$/, "");
  // A page's own service can be named by a path alone.
  const isPath = "location" in globalThis && (given.startsWith("/") || given === "");
  if (!isPath && !/^https?:\/\/[^/?#]+[^?#]*$/i.test(root)) {
    throw new TypeError(
      `baseUrl is the service's address, such as https://hooks.market.example, not ${JSON.stringify(baseUrl)}.`,
    );
  }
  return root;
}

/**
 * Puts ids into the address of a route. `.` and `..` are steps in an address, also when they are escaped, so such an id
 * would reach another route. It is refused here, as the service refuses other ids that nothing can have.
 */
function serializePath(address: string, ids: Record<string, unknown>): string {
  for (const [name, id] of Object.entries(ids)) {
    if (id !== "." && id !== "..") continue;
    const ofResource = address.includes("/v1/resources/");
    throw refusal(ofResource ? "resource_id_invalid" : "not_found", `/${name}`);
  }
  return defaultPathSerializer(address, ids);
}

function refusal(code: ErrorCode, pointer: string): ApiError {
  const { status = 404, title, advice } = errorEntry(code);
  const type = `/docs/errors#${code}`;
  // No request was made that could have an id.
  const problem = { type, title, status, code, detail: advice, pointer, requestId: "" };
  return new ApiError(problem as ApiError["problem"], null);
}
