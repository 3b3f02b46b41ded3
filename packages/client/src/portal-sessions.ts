import { answerOf, callOptions, type CallOptions, type Context } from "./call.ts";
import type {
  CurrentSession,
  NewPortalSession,
  OpenedPortalSession,
  PortalSession,
  PortalSessionInput,
  RenewedPortalSession,
} from "./schemas.ts";

export function createPortalSessions(context: Context) {
  const { api } = context;

  return {
    /** For an owner that you have logged in. Send them to its `url`, or show that in a frame; it opens once. */
    async create(
      session: PortalSessionInput,
      options: CallOptions = {},
    ): Promise<NewPortalSession> {
      return await answerOf(
        api.POST("/v1/portal-sessions", {
          body: session,
          // A lost answer leaves behind only a link that nobody knows.
          ...callOptions(context, options, { repeatable: true }),
        }),
        "url",
      );
    },

    /** Open ones, the newest first, at most 200. */
    async list(options: CallOptions & { ownerId?: string } = {}): Promise<PortalSession[]> {
      const { ownerId = context.ownerId } = options;
      const query = ownerId === null ? {} : { ownerId };
      const { items } = await answerOf(
        api.GET("/v1/portal-sessions", { params: { query }, ...callOptions(context, options) }),
        "items",
      );
      return items;
    },

    /** Ends a session within a second, live streams included. */
    async revoke(id: string, options: CallOptions = {}): Promise<void> {
      await answerOf(
        api.DELETE("/v1/portal-sessions/{id}", {
          params: { path: { id } },
          ...callOptions(context, options),
        }),
      );
    },

    /**
     * For pages: the code of the link for a token, once. Needs no key. With a nonce of at least 128 random bits the call
     * can be repeated when its answer was lost: it gives the same session again.
     */
    async exchange(
      code: string,
      { nonce, ...options }: CallOptions & { nonce?: string } = {},
    ): Promise<OpenedPortalSession> {
      return await answerOf(
        api.POST("/v1/portal-sessions/exchange", {
          body: nonce === undefined ? { code } : { code, nonce },
          ...callOptions(context, options),
        }),
      );
    },

    /** Who this client is to the service, and what a page must know about it. */
    async current(options: CallOptions = {}): Promise<CurrentSession> {
      return await answerOf(api.GET("/v1/portal-sessions/current", callOptions(context, options)));
    },

    /** For pages: gives the session whose token this client has its lifetime again. */
    async renewCurrent(options: CallOptions = {}): Promise<RenewedPortalSession> {
      return await answerOf(
        api.POST("/v1/portal-sessions/current/renew", {
          ...callOptions(context, options, { repeatable: true }),
        }),
      );
    },

    /** Ends the session whose token this client has. */
    async endCurrent(options: CallOptions = {}): Promise<void> {
      await answerOf(api.DELETE("/v1/portal-sessions/current", callOptions(context, options)));
    },
  };
}
