import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { chatFormats, DEFAULT_CHAT_OPTIONS, placeholdersOf, sampleFacts } from "@markethook/chat";
import { ERRORS, EVENT_NAMES } from "@markethook/protocol";
import { chatPlatform } from "../chat/platforms.ts";
import { de } from "./de/index.ts";
import { en } from "./en/index.ts";

/** Sentences that the service writes in English, and that the pages say in their own language, by code. */
test("German has words for each cause of a signature that does not fit", () => {
  const codes = ["cause.ts", "searched-causes.ts"].flatMap((file) =>
    namesIn(`packages/receiver/src/${file}`, /^ {2}(\w+):(?= ?"|$)/gm),
  );
  assert.deepEqual(Object.keys(de.verify.causes).sort(), codes.sort());
});

test("German has words for each request of a check-up and each result", () => {
  const folder = "packages/dispatcher/src/ping";
  assert.deepEqual(
    Object.keys(de.verify.probes).sort(),
    namesIn(`${folder}/checkup-probes.ts`, /\bname: "(\w+)",/g),
  );
  assert.deepEqual(
    Object.keys(de.verify.judgements).sort(),
    [...namesIn(`${folder}/verdict.ts`, /^ {4}verdict: "(\w+)"/gm), "no_reply"].sort(),
  );
});

test("German has words for each placeholder of a chat's message, and each error code it names exists", () => {
  const placeholders = EVENT_NAMES.flatMap((event) => placeholdersOf(event));
  assert.deepEqual(
    Object.keys(de.chat.placeholder).sort(),
    [...new Set(placeholders.map(({ name }) => name))].sort(),
  );
  assert.deepEqual(
    Object.keys(de.errors).filter((code) => !Object.hasOwn(ERRORS, code)),
    [],
  );
});

test("German has words for each fault of a chat's message", () => {
  const codes = namesIn("packages/chat/src/message-fault.ts", /^ {2}(\w+): \(/gm);
  assert.ok(codes.includes("lone_brace"));
  assert.deepEqual(Object.keys(de.chat.faults).sort(), codes);
});

test("German has words for each platform's warnings about a message, and for each limit of one", () => {
  const of = { title: "T", url: "https://market.example/resource/t", serviceName: "M" };
  for (const { name, message, limitsUsed, warnings } of chatFormats) {
    const limits = limitsUsed(message(sampleFacts("ping", of), DEFAULT_CHAT_OPTIONS));
    assert.deepEqual(
      Object.keys(chatPlatform(name).words.de.said).sort(),
      [...limits.map(({ part }) => part), ...warnings].sort(),
      name,
    );
  }
});

test("German has words for each verdict on an event", () => {
  assert.deepEqual(Object.keys(de.events.sentences), Object.keys(de.events.verdicts));
});

test("no error that an owner meets asks in English for a header, a request or a key of idempotency", () => {
  for (const code of Object.keys(de.errors)) {
    const text = en.errors[code]?.text ?? ERRORS[code as keyof typeof ERRORS].advice;
    assert.doesNotMatch(
      text,
      /Retry-After|idempotency|\b(PUT|POST|GET)\b|[Rr]ead (it|the webhook)/,
      code,
    );
  }
});

function namesIn(file: string, pattern: RegExp): string[] {
  return [...readFileSync(file, "utf8").matchAll(pattern)].map(([, name = ""]) => name).sort();
}
