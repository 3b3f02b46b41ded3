import { API_KEY_ID_PREFIX, makeRandomId, MarkethookError } from "@markethook/protocol";
import { Type } from "typebox";
import { parseAddressList } from "../auth/address-list.ts";
import { hashToken, makeApiKey } from "../auth/token.ts";
import { actingStore } from "../auth/actor.ts";
import { withInstants } from "../request/instant.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import {
  ApiKeyBody,
  ApiKeyId,
  ApiKeyView,
  NewApiKeyView,
  RevokeQuery,
} from "../schemas/administration.ts";
import { closed, ref } from "../schemas/fields.ts";

export function apiKeyRoutes(app: ApiInstance, { deps }: RouteContext): void {
  const { apiKeys } = deps.store;

  app.get(
    "/api-keys",
    operation({
      id: "listApiKeys",
      summary: "All API keys, without the keys themselves",
      tag: "api-keys",
      scope: "admin",
      answers: { 200: Type.Object({ items: Type.Array(ref(ApiKeyView)) }) },
    }),
    async () => ({ items: (await apiKeys.list()).map(withInstants) }),
  );

  app.post(
    "/api-keys",
    operation({
      id: "createApiKey",
      summary: "Make an API key",
      description: "The key is in this answer only; a hash of it is stored.",
      tag: "api-keys",
      scope: "admin",
      body: ApiKeyBody,
      answers: { 201: ref(NewApiKeyView) },
    }),
    async (request, reply) => {
      const { name, scopes, expiresAt, addresses = [] } = request.body;
      checkAddresses(addresses);
      const key = makeApiKey(deps.randomBytes);
      const stored = await actingStore(deps, request).apiKeys.create({
        id: makeRandomId(API_KEY_ID_PREFIX, deps.randomBytes),
        name,
        scopes,
        hash: hashToken(key),
        expiresAt: readExpiry(expiresAt ?? null, await deps.store.maintenance.now()),
        addresses,
      });
      reply.header("cache-control", "no-store");
      return reply.code(201).send({ ...withInstants(stored), key });
    },
  );

  app.delete(
    "/api-keys/:id",
    operation({
      id: "revokeApiKey",
      summary: "Revoke an API key",
      description: "Instances that used it just now may take it for one more second.",
      tag: "api-keys",
      scope: "admin",
      params: closed({ id: ApiKeyId }),
      query: RevokeQuery,
      answers: { 204: Type.Null({ description: "Revoked" }) },
      errors: ["not_found", "api_key_last"],
    }),
    async (request, reply) => {
      const { apiKeys } = actingStore(deps, request);
      const outcome = await apiKeys.revoke(request.params.id, request.query.confirm ?? false);
      if (outcome === "absent") throw new MarkethookError("not_found");
      if (outcome === "last") throw new MarkethookError("api_key_last");
      return reply.code(204).send(null);
    },
  );
}

/** Milliseconds since the epoch. */
function readExpiry(expiresAt: string | null, now: number): number | null {
  if (expiresAt === null) return null;
  const at = Date.parse(expiresAt);
  // Also for a leap second, which the schema's format accepts and Date does not.
  if (Number.isNaN(at) || at <= now) {
    throw new MarkethookError("field_invalid", {
      detail: "This is not a time in the future.",
      pointer: "/expiresAt",
    });
  }
  return at;
}

function checkAddresses(addresses: readonly string[]): void {
  const faulty = addresses.findIndex((address) => parseAddressList([address]) === null);
  if (faulty < 0) return;
  throw new MarkethookError("field_invalid", {
    detail: "This is neither an address nor a CIDR such as 192.0.2.0/24.",
    pointer: `/addresses/${faulty}`,
  });
}
