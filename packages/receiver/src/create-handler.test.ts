import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createHandler,
  type HandlerOptions,
  type HostRequest,
  type ReadBody,
  type Rejection,
} from "./create-handler.ts";
import { MarkethookError } from "./error.ts";
import { signTestRequest, type TestRequestOptions } from "./testing.ts";

const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";

function hostRequest(options: Partial<TestRequestOptions> = {}): HostRequest {
  const { method, headers, body } = signTestRequest({ event: "ping", secret: SECRET, ...options });
  return { method, headers, readBody: async () => ({ kind: "bytes", bytes: body }) };
}

/** Fails if the user's functions are entered, and keeps what was rejected. */
function closed(options: Partial<HandlerOptions> = {}) {
  const rejections: Rejection[] = [];
  const errors: unknown[] = [];
  const handle = createHandler({
    secrets: SECRET,
    onEvent: () => assert.fail("onEvent was entered"),
    onUnknown: () => assert.fail("onUnknown was entered"),
    onRejected: (rejection) => rejections.push(rejection),
    onError: (error) => errors.push(error),
    ...options,
  });
  return { handle, rejections, errors };
}

test("a verified event reaches onEvent and is answered 204 without a body", async () => {
  const events: string[] = [];
  const handle = createHandler({
    secrets: SECRET,
    onEvent: ({ event }) => void events.push(event.event),
  });
  assert.deepEqual(await handle(hostRequest()), { status: 204, headers: {}, body: "" });
  assert.deepEqual(events, ["ping"]);
});

test("an unknown event reaches onUnknown, and without one is answered 204", async () => {
  const names: string[] = [];
  const onEvent = () => assert.fail("onEvent was entered");
  const onUnknown = ({ name }: { name: string }) => void names.push(name);
  const unknown = { event: "product.review" };
  const told = await createHandler({ secrets: SECRET, onEvent, onUnknown })(hostRequest(unknown));
  const silent = await createHandler({ secrets: SECRET, onEvent })(hostRequest(unknown));
  assert.deepEqual([told?.status, silent?.status, names], [204, 204, ["product.review"]]);
});

test("what the handler answers is sent", async () => {
  const answers = [
    [{ status: 202, headers: { "X-Queue": "7" } }, 202, { "x-queue": "7" }],
    [{ abort: true }, 422, { "webhook-delivery": "abort-message" }],
    [{ disable: true }, 422, { "webhook-delivery": "disable" }],
    [{ disable: true, status: 200 }, 200, { "webhook-delivery": "disable" }],
    [{ status: 503, headers: { "Retry-After": "60" } }, 503, { "retry-after": "60" }],
  ] as const;
  for (const [answer, status, headers] of answers) {
    const handle = createHandler({ secrets: SECRET, onEvent: async () => answer });
    assert.deepEqual(await handle(hostRequest()), { status, headers, body: "" });
  }
});

const FAILURES: [string, HostRequest, number][] = [
  ["method_not_post", { ...hostRequest(), method: "GET" }, 405],
  ["signature_missing", { ...hostRequest(), headers: {} }, 401],
  ["signature_mismatch", hostRequest({ secret: "another" }), 401],
  ["signature_malformed", { ...hostRequest(), headers: { "x-service-signature": "7" } }, 401],
  ["payload_invalid", hostRequest({ payload: {} }), 400],
  ["version_unsupported", { ...hostRequest(), headers: { "x-service-webhook-version": "2" } }, 400],
  ["request_body_too_large", given({ kind: "too_large" }), 413],
  ["raw_body_missing", given({ kind: "consumed" }), 500],
];

function given(read: ReadBody): HostRequest {
  return { ...hostRequest(), readBody: async () => read };
}

for (const [code, request, status] of FAILURES) {
  test(`${code} is answered ${status} with the code, and no handler is entered`, async () => {
    const { handle, rejections } = closed();
    const answer = await handle(request);
    assert.equal(answer?.status, status);
    assert.equal(answer?.body, `${code}\n`);
    assert.equal(answer?.headers["allow"], status === 405 ? "POST" : undefined);
    assert.deepEqual(
      rejections.map((rejection) => rejection.code),
      [code],
    );
  });
}

test("a rejection brings the likely causes along", async () => {
  const { handle, rejections } = closed({ secrets: `${SECRET}\n` });
  await handle(hostRequest());
  assert.equal(rejections[0]?.causes[0]?.code, "secret_blanks");
});

test("a request that broke off is not answered", async () => {
  const { handle, rejections, errors } = closed();
  assert.equal(await handle(given({ kind: "aborted" })), null);
  assert.deepEqual([rejections, errors], [[], []]);
});

test("a handler that throws is answered 500, and what it threw is reported", async () => {
  const fault = new Error("database down");
  const thrower = () => {
    throw fault;
  };
  const faulty: Partial<HandlerOptions>[] = [
    { onEvent: thrower },
    { onEvent: () => Promise.reject(fault) },
    { secrets: thrower },
    { secrets: () => Promise.reject(fault) },
  ];
  for (const options of faulty) {
    const { handle, errors } = closed(options);
    const answer = await handle(hostRequest());
    assert.deepEqual([answer?.status, answer?.body], [500, "internal\n"]);
    assert.deepEqual(errors, [fault]);
  }
});

test("an answer that no host could send becomes a 500", async () => {
  const unsendable = [
    { status: 7 },
    { status: 101 },
    { headers: { "a b": "c" } },
    { headers: { a: "\n\0" } },
  ];
  for (const answer of unsendable) {
    const { handle, errors } = closed({ onEvent: () => answer });
    assert.equal((await handle(hostRequest()))?.status, 500);
    assert.equal(errors.length, 1);
  }
});

test("a forgotten secret shows when the handler is made", () => {
  for (const secrets of ["", [], [""]]) {
    assert.throws(
      () => createHandler({ secrets, onEvent: () => undefined }),
      (error) => error instanceof MarkethookError && error.code === "secret_missing",
    );
  }
});

test("one receiver serves many webhooks by looking secrets up", async () => {
  const asked: (string | undefined)[][] = [];
  const bySecret = new Map([["wh_farms", SECRET]]);
  const secrets = async (webhookId?: string, resourceId?: string) => {
    asked.push([webhookId, resourceId]);
    return bySecret.get(webhookId ?? "");
  };
  const handle = createHandler({ secrets, serviceName: "Polymart", onEvent: () => undefined });
  const common = { serviceName: "Polymart", resourceId: "farms" };
  const known = await handle(hostRequest({ ...common, webhookId: "wh_farms" }));
  const unknown = await handle(hostRequest({ ...common, webhookId: "wh_else" }));
  assert.equal(known?.status, 204);
  assert.deepEqual([unknown?.status, unknown?.body], [401, "secret_missing\n"]);
  assert.deepEqual(asked, [
    ["wh_farms", "farms"],
    ["wh_else", "farms"],
  ]);
});
