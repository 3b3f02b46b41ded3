import {
  DELIVERY_CONTROL_HEADER,
  type EventName,
  headerNames,
  STANDARD_HEADERS,
} from "@markethook/protocol";
import { RECEIVED_EVENTS } from "../schemas/receiver.ts";
import { idOf } from "../schemas/fields.ts";
import { sampleRequest, type Scene } from "./sample-request.ts";

const ABOUT: Readonly<Record<EventName, { summary: string; when: string }>> = {
  ping: { summary: "A ping", when: "The owner pressed Ping." },
  "product.update": {
    summary: "An update was posted",
    when: "The owner posted an update to the resource.",
  },
  "product.user.purchase": {
    summary: "A user purchased the resource",
    when: "A user purchased the resource.",
  },
  "product.user.purchaseRemoved": {
    summary: "A purchase was removed",
    when: "The owner refunded a user, or a user issued a chargeback. It may come more than once for the same user.",
  },
  "product.user.firstDownload": {
    summary: "A user downloaded the resource for the first time",
    when: "A user downloaded the resource for the first time.",
  },
};

const RULES =
  "Verify the signatures over the exact bytes of the body before you believe any of it. Act once per `webhook-id`: the same event can come again. Answer any 2xx as soon as you have stored it; the body of your answer is not used.";

/** The document's `webhooks`: the requests that receivers get, one per event. */
export function receiverWebhooks(scene: Scene): Record<string, { post: object }> {
  return Object.fromEntries(
    RECEIVED_EVENTS.map(({ event, schema }) => {
      const { summary, when } = ABOUT[event];
      const request = sampleRequest(event, scene);
      const post = {
        operationId: idOf(schema).replace("Received", "receive"),
        tags: ["receivers"],
        summary,
        description: `${when} ${RULES}`,
        // Receivers have no key of ours: they verify signatures.
        security: [],
        parameters: headerParameters(scene.serviceName, new Map(request.headers)),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { $ref: `#/components/schemas/${idOf(schema)}` },
              examples: { [event]: { value: JSON.parse(request.body) as unknown } },
            },
          },
        },
        responses: ANSWERS,
      };
      return [event, { post }];
    }),
  );
}

const CONTROL = {
  [DELIVERY_CONTROL_HEADER]: {
    description:
      "`abort-message` next to a failure: give this delivery up. `disable` next to any answer: disable the webhook",
    schema: { type: "string", enum: ["abort-message", "disable"] },
  },
};

const ANSWERS = {
  "2XX": { description: "Delivered. The body is not used", headers: CONTROL },
  "410": { description: "The webhook is disabled at once" },
  "4XX": { description: "Failed, and tried again later", headers: CONTROL },
  "5XX": {
    description: "Failed, and tried again later; `Retry-After` is respected",
    headers: CONTROL,
  },
};

function headerParameters(serviceName: string, example: ReadonlyMap<string, string>): object[] {
  const names = headerNames(serviceName);
  const hex = { type: "string", pattern: "^[0-9a-f]{64}$" };
  const text = { type: "string" };
  const digits = { type: "string", pattern: "^[0-9]+$" };
  const of = (name: string, schema: object, description: string, required = true): object => ({
    name,
    in: "header",
    required,
    description,
    schema,
    ...(example.has(name) ? { example: example.get(name) } : {}),
  });
  return [
    of(names.version, { type: "string", enum: ["1"] }, "Version of this contract"),
    of(
      names.signature,
      hex,
      "SHA-256 HMAC of the exact body bytes, keyed with the webhook's secret as text, in lower-case hexadecimal digits",
    ),
    of(
      STANDARD_HEADERS.signature,
      { type: "string", pattern: "^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$" },
      "Standard Webhooks: `v1,` and the base64 of the SHA-256 HMAC of `{webhook-id}.{webhook-timestamp}.{body}`, keyed with what the secret decodes to as base64. While a secret is rotated there are two, separated by a space. Left out only where an imported secret is no base64",
      false,
    ),
    of(STANDARD_HEADERS.id, text, "The same in every request about the event: deduplicate on it"),
    of(STANDARD_HEADERS.timestamp, digits, "When this request was sent, Unix seconds"),
    of(
      names.signatureNext,
      hex,
      "While a secret is rotated: the first signature, keyed with the new one",
      false,
    ),
    of(names.hookId, text, "The webhook"),
    of(names.resourceId, text, "The resource"),
    of(names.deliveryId, text, "The delivery, to find the request in the log"),
    of(names.attempt, digits, "Counted from 1"),
    of("Content-Length", digits, "Bytes of the body"),
  ];
}
