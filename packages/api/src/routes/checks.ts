import { isShownOnly, MarkethookError } from "@markethook/protocol";
import { actingOwner, actingResource } from "../auth/actor.ts";
import type { TargetCheck } from "../app-deps.ts";
import { ownResource } from "../auth/bound-resource.ts";
import { operation } from "../document/operation.ts";
import { chatOf, formatOf, shownUrl } from "../views/receiver-format.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { CheckUrlBody, UrlCheckView, VerificationView, VerifyBody } from "../schemas/check.ts";
import { OwnerQuery, ref } from "../schemas/fields.ts";
import { remarksOnUrl } from "../input/url-remarks.ts";
import {
  defaultEvents,
  remarkOnSameUrl,
  requireSigned,
  SHOWN_ONLY,
} from "../input/webhook-input.ts";

const NOWHERE = "This address is not allowed as a receiver, or its name cannot be found.";

type Check = TargetCheck | { ok: false; code: "chat_unsupported"; sentence: string };

/**
 * Returns the fault, or null. Hosts in inner networks and unknown hosts get the same one; otherwise owners could find
 * out inner names.
 */
function faultOf(check: Check, isPlatform: boolean) {
  if (check.ok && (check.resolved || isPlatform)) return null;
  if (!check.ok && check.code !== "target_blocked") {
    return { code: check.code, sentence: check.sentence };
  }
  return { code: "target_blocked", sentence: NOWHERE };
}

/** Checks for a page before anything is stored. */
export function checkRoutes(app: ApiInstance, { deps }: RouteContext): void {
  const { webhooks } = deps.store;

  async function sameUrlRemarks(
    url: string,
    { resourceId, webhookId }: { resourceId: string | undefined; webhookId: string | undefined },
    owner: string | null,
  ) {
    if (resourceId === undefined) return [];
    const { ownerId } = await ownResource(deps, resourceId, owner, "resource_unknown");
    return await remarkOnSameUrl(webhooks, { ownerId, resourceId, url, exceptId: webhookId });
  }

  app.post(
    "/webhooks/check-url",
    operation({
      id: "checkUrl",
      summary: "Judge a URL without saving it",
      description:
        "Judges a URL as saving a webhook does, but its name has to resolve now. Nothing is sent; the host's name is looked up. An address that is not allowed and a name that does not exist get the same answer.",
      tag: "webhooks",
      scope: "webhooks:write",
      limit: "urlChecks",
      query: OwnerQuery,
      body: CheckUrlBody,
      answers: { 200: ref(UrlCheckView) },
      errors: ["resource_unknown", "resource_id_invalid"],
    }),
    async (request) => {
      const { url, resourceId, webhookId } = request.body;
      const ownerId = actingOwner(request);
      const asked = actingResource(request, resourceId);
      const chat = chatOf(url);
      const faulty = chat !== null && "fault" in chat ? chat : null;
      const known = chat === null || "fault" in chat ? null : chat;
      const target = known?.target.url ?? url;
      const same = await sameUrlRemarks(target, { resourceId: asked, webhookId }, ownerId);
      const about = {
        format: formatOf(url),
        label: known?.format.label ?? null,
        shownUrl: shownUrl(url),
        defaultEvents: defaultEvents(known),
      };
      const check: Check =
        faulty !== null
          ? { ok: false, code: faulty.code, sentence: faulty.fault }
          : isShownOnly(target)
            ? { ok: false, code: "url_invalid", sentence: SHOWN_ONLY }
            : await deps.checkTarget(target);
      // The host of a chat platform is known to us, and reveals nothing.
      const fault = faultOf(check, known !== null);
      if (!check.ok || fault !== null) {
        return { ok: false, ...about, faults: fault === null ? [] : [fault], remarks: [] };
      }
      return { ok: true, ...about, faults: [], remarks: [...remarksOnUrl(target), ...same] };
    },
  );

  app.post(
    "/verify",
    operation({
      id: "verifyRequest",
      summary: "Find out what is wrong with a request as a receiver saw it",
      description:
        "Every signature must fit, while the receiver library accepts a request for one of them. The time is not judged: a pasted request may be old. Give `secret`, or the webhook whose secrets are to be tried.",
      tag: "webhooks",
      scope: "secrets:read",
      limit: "urlChecks",
      query: OwnerQuery,
      body: VerifyBody,
      answers: { 200: ref(VerificationView) },
      errors: ["not_found", "webhook_is_chat"],
    }),
    async (request) => {
      const { headers, body, secret, webhookId } = request.body;
      if ((secret === undefined) === (webhookId === undefined)) {
        throw new MarkethookError("field_invalid", {
          detail: "Give either `secret` or `webhookId`.",
          pointer: "/secret",
        });
      }
      const ownerId = actingOwner(request);
      const secrets = secret === undefined ? await secretsOf(webhookId ?? "") : [secret];
      return deps.verify({ headers, body: Buffer.from(body), secrets });

      async function secretsOf(id: string): Promise<string[]> {
        const webhook = await webhooks.get(id, ownerId);
        actingResource(request, webhook.resourceId);
        requireSigned(webhook);
        const { current, next } = await webhooks.revealSecrets(id, ownerId);
        return next === null ? [current] : [current, next];
      }
    },
  );
}
