import { makeSecret, MarkethookError } from "@markethook/protocol";
import type { FastifyRequest } from "fastify";
import { actorOf } from "./actor.ts";
import type { AppDeps } from "./app-deps.ts";

/** What an owner should know about the URL. @throws `url_invalid`, `target_blocked` */
export async function judgeUrl(deps: AppDeps, url: string): Promise<string[]> {
  const check = await deps.checkTarget(url);
  if (check.ok) return check.remarks;
  throw new MarkethookError(check.code, { detail: check.sentence, pointer: "/url" });
}

/**
 * The secret to store: a new one, or the one the marketplace brings from where the webhook was before. An owner
 * may not choose one: a guessable secret would let anybody forge the marketplace's requests.
 */
export function chooseSecret(
  deps: AppDeps,
  request: FastifyRequest,
  imported: string | undefined,
): string {
  if (imported === undefined) return makeSecret(deps.randomBytes);
  if (actorOf(request).kind !== "key") {
    throw new MarkethookError("scope_missing", {
      detail: "Only the marketplace's own key imports secrets.",
      pointer: "/secret",
    });
  }
  return imported;
}
