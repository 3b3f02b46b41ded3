import {
  type Answer,
  BROKEN_JSON,
  INVALID_TOKEN,
  invalidForm,
  MISSING_ACCESS,
  NO_JSON,
  UNKNOWN_CHANNEL,
  UNKNOWN_MESSAGE,
  UNKNOWN_WEBHOOK,
  WRONG_METHOD,
} from "./answers.ts";
import {
  type Channel,
  type ChannelMessage,
  type CheckedBody,
  edit,
  post,
  snowflake,
} from "./channels.ts";
import { checkBody } from "./message-rules.ts";

export interface WebhookRequest {
  method: string;
  token: string;
  messageId: string | null;
  query: URLSearchParams;
  contentType: string;
  body: string;
}

/** Discord's answer to a request that is within its limits; `violation` is told what a good client never does. */
export function answerWebhook(
  channel: Channel | undefined,
  request: WebhookRequest,
  violation: (what: string) => void,
): Answer {
  if (channel === undefined || channel.state === "deleted") return UNKNOWN_WEBHOOK;
  if (channel.token !== request.token) return INVALID_TOKEN;
  if (channel.state === "forbidden") return MISSING_ACCESS;
  if (request.method === "GET" && request.messageId === null) {
    return { status: 200, body: { type: 1, id: channel.id, name: channel.name } };
  }
  if (request.method !== (request.messageId === null ? "POST" : "PATCH")) return WRONG_METHOD;
  const threadId = request.query.get("thread_id");
  const wait = request.query.get("wait");
  const faults = queryFaults(threadId, wait);
  if (faults.length > 0) return invalidForm(faults);
  if (threadId !== null && !channel.threads.has(threadId)) return UNKNOWN_CHANNEL;
  if (!/^application\/json\b/i.test(request.contentType)) {
    violation(`content type ${request.contentType}`);
    return NO_JSON;
  }
  const body = parse(request.body);
  if (body === undefined) {
    violation("broken JSON");
    return BROKEN_JSON;
  }
  const checked = checkBody(body, request.messageId !== null);
  checked.odd.forEach(violation);
  if (checked.faults.length > 0) {
    violation(checked.faults.map(({ path, code }) => `${path} ${code}`).join(", "));
    return invalidForm(checked.faults);
  }
  // Checked above.
  const message = body as CheckedBody;
  if (request.messageId === null) {
    const posted = post(channel, threadId, message);
    return wait === "true" ? { status: 200, body: view(channel, posted) } : { status: 204 };
  }
  const found = channel.messages.find(
    (one) => one.id === request.messageId && one.threadId === threadId,
  );
  if (found === undefined) return UNKNOWN_MESSAGE;
  edit(found, message);
  return { status: 200, body: view(channel, found) };
}

function queryFaults(threadId: string | null, wait: string | null) {
  const faults = [];
  if (threadId !== null && !/^\d{17,20}$/.test(threadId)) {
    const message = `Value "${threadId}" is not snowflake.`;
    faults.push({ path: "thread_id", code: "NUMBER_TYPE_COERCE", message });
  }
  if (wait !== null && wait !== "true" && wait !== "false") {
    faults.push({ path: "wait", code: "BOOLEAN_TYPE_CONVERT", message: "Must be true or false." });
  }
  return faults;
}

function view(channel: Channel, message: ChannelMessage): object {
  return {
    id: message.id,
    type: 0,
    channel_id: message.threadId ?? snowflake(),
    webhook_id: channel.id,
    content: message.content,
    embeds: message.embeds,
    mentions: [],
    mention_roles: message.pings.flatMap((ping) =>
      ping.startsWith("role ") ? [ping.slice("role ".length)] : [],
    ),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
