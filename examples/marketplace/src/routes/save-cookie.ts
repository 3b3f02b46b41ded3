import type { FastifyReply, FastifyRequest } from "fastify";
import type { SoldResource } from "../shop-data.ts";

/**
 * After Download the visitor comes back to a page that says what was reported, and the browser is to save the file
 * next to that, once: a cookie remembers which until the page is shown.
 */
export function leaveSaveCookie(
  reply: FastifyReply,
  { id }: SoldResource,
  versionId: string,
): void {
  const cookie = `market-save=${versionId}; Path=/resource/${id}; Max-Age=10; HttpOnly; SameSite=Lax`;
  void reply.header("set-cookie", cookie);
}

export function takeSaveCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, versions }: SoldResource,
): void {
  const wanted = /(?:^|;\s*)market-save=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1];
  if (!versions.some((version) => version.id === wanted)) return;
  void reply
    .header("set-cookie", `market-save=; Path=/resource/${id}; Max-Age=0; HttpOnly; SameSite=Lax`)
    .header("refresh", `0; url=/resource/${id}/file/${wanted}`);
}
