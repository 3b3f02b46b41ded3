import type { Recognised } from "../chat-format.ts";
import { pastedUrl } from "../web-url.ts";

const HOST = /^([a-z0-9-]+\.)*slack\.com\.?$/;
const WEBHOOK_HOST = /^hooks\.slack\.com\.?$/;
const NO_SCHEME = /^([a-z0-9-]+\.)*slack\.com\//i;
/** Workspace (or its organization) and webhook, and the token. */
const PATH = /^\/services\/([TE][A-Z0-9]{2,20}\/B[A-Z0-9]{2,20})\/([A-Za-z0-9]{16,64})\/?$/;

const HOW =
  "At api.slack.com/apps, open your app, Incoming Webhooks, and copy the Webhook URL of the channel.";

/** Null: not Slack's. */
export function recogniseSlack(text: string): Recognised | null {
  const url = pastedUrl(text, NO_SCHEME);
  if (url === null || !HOST.test(url.hostname)) return null;
  const [, id, token] = PATH.exec(url.pathname) ?? [];
  if (!WEBHOOK_HOST.test(url.hostname) || id === undefined || token === undefined) {
    return { fault: faultOf(url) };
  }
  return {
    target: {
      url: `https://hooks.slack.com/services/${id}/${token}`,
      shownUrl: `https://hooks.slack.com/services/${id}/…`,
      threadId: null,
    },
  };
}

function faultOf({ hostname, pathname }: URL): string {
  if (!WEBHOOK_HOST.test(hostname)) {
    return /^\/(archives|client|messages)\//.test(pathname)
      ? `This is a link to a Slack channel or message, not a webhook's address. ${HOW}`
      : `This is an address of Slack, but not of a Slack webhook. ${HOW}`;
  }
  if (/^\/(workflows|triggers)\//.test(pathname)) {
    return `This address starts a Slack workflow, which takes no messages. ${HOW}`;
  }
  return `This Slack address is not complete: its form is https://hooks.slack.com/services/T…/B…/token. ${HOW}`;
}
