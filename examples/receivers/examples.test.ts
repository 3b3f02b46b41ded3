/** The receivers in this folder are run as they stand, and as the webhooks page gives them away. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { signTestRequest } from "@markethook/receiver/testing";
import { RECEIVERS, receiverFor } from "../../packages/ui/src/verify/samples.ts";
import {
  GO,
  JAVA,
  JAVASCRIPT,
  type Language,
  NODE,
  PHP,
  PYTHON,
  reasonNotToRun,
  runReceiver,
} from "./languages.ts";
import type { RunningReceiver } from "./start-receiver.ts";
import { tryBurst, tryStrangers } from "./strangers.ts";
import { emptyKey, post, SECRET, sign, tryReceiver } from "./trials.ts";

const IMPORTED = "an old secret, not base64!";

interface Receiver {
  title: string;
  language: Language;
  code: string;
}

const BY_HAND: readonly Receiver[] = [
  // It says nothing when it listens.
  example("receiver.mjs", { ...JAVASCRIPT, ready: null }),
  example("receiver.py", PYTHON),
  example("receiver.php", PHP),
  example("Receiver.java", JAVA),
  example("receiver.go", GO),
];

const folder = mkdtempSync(join(tmpdir(), "markethook-receivers-"));
const running: RunningReceiver[] = [];
after(async () => {
  await Promise.all(running.map((receiver) => receiver.stop()));
  rmSync(folder, { recursive: true });
});

function example(file: string, language: Language): Receiver {
  return { title: file, language, code: readFileSync(join(import.meta.dirname, file), "utf8") };
}

/** How long its tests may take, or why they cannot run here. */
function optionsOf(language: Language): { timeout?: number; skip: string | false } {
  const { timeoutMs } = language;
  const skip = reasonNotToRun(language) ?? false;
  return timeoutMs === undefined ? { skip } : { skip, timeout: timeoutMs };
}

async function start(
  { language, code }: Receiver,
  secret: string | null = SECRET,
): Promise<RunningReceiver> {
  const receiver = await runReceiver(language, code, folder, secret);
  running.push(receiver);
  return receiver;
}

/** One for all tests that it outlives, with what it has acted on by then. */
const lasting = new Map<Receiver, Promise<RunningReceiver>>();

async function shared(receiver: Receiver): Promise<RunningReceiver> {
  const begun = lasting.get(receiver) ?? start(receiver);
  lasting.set(receiver, begun);
  return await begun;
}

test("the page gives away each receiver without a library, with the service's own names of headers", () => {
  assert.deepEqual(
    Object.keys(RECEIVERS),
    BY_HAND.map(({ title }) => title),
  );
  for (const { code, title } of BY_HAND) {
    const own = receiverFor(code, { serviceName: "Acme-Maps", standard: true });
    assert.doesNotMatch(own, /x[-_]service/i, title);
    const names = own.match(/x[-_]acme[-_]maps[-_]signature(?:[-_]next)?/gi);
    assert.deepEqual(
      names?.map((name) => name.toLowerCase().replaceAll("_", "-")),
      ["x-acme-maps-signature", "x-acme-maps-signature-next"],
      title,
    );
  }
});

for (const receiver of [example("node.ts", NODE), ...BY_HAND]) {
  const options = optionsOf(receiver.language);
  test(
    `${receiver.title} takes what is signed, refuses what is forged or old, and acts once`,
    options,
    async () => await tryReceiver(await shared(receiver)),
  );

  test(
    `${receiver.title} goes on after senders that go away, say nothing, or send too much`,
    options,
    async () => await tryStrangers(await shared(receiver)),
  );

  test(
    `${receiver.title} keeps as many connections as come at once until it has time for them`,
    options,
    async () => await tryBurst(await shared(receiver)),
  );

  test(
    `${receiver.title} has an event come again when it could not act on it`,
    options,
    async () => {
      const { language, code } = receiver;
      const [line, instead] = language.fails;
      assert.match(code, line);
      const { url } = await start({ ...receiver, code: code.replace(line, () => instead) });
      for (const attempt of [1, 2]) {
        // A connection that is closed is a failed attempt, too.
        const status = await post(url, sign({ attempt, eventId: "evt_failed" })).catch(() => 500);
        assert.equal(status, 500);
      }
    },
  );

  test(
    `${receiver.title} takes no request without a secret: null, false, empty or unset`,
    options,
    async () => {
      const { language, code, title } = receiver;
      assert.match(code, language.reads);
      const forgotten = [
        { what: "empty", code, secret: "" },
        { what: "unset", code, secret: null },
        ...language.missing.map((value) => ({
          what: value,
          code: code.replace(language.reads, () => value),
          secret: SECRET,
        })),
      ];
      await Promise.all(
        forgotten.map(async ({ what, secret, ...own }) => {
          const starting = start({ ...receiver, ...own }, secret);
          if (!language.startsWithout) {
            await assert.rejects(starting, /ended/, `${title}: ${what}`);
            return;
          }
          const { url, says } = await starting;
          assert.equal(await post(url, sign()), 500, what);
          await says("is not set");
          assert.equal(await post(url, sign(), emptyKey(sign())), 500, what);
        }),
      );
    },
  );
}

for (const { title, language, code: whole } of BY_HAND) {
  test(
    `${title} is given away for an imported secret that is not base64, too`,
    optionsOf(language),
    async () => {
      const code = receiverFor(whole, { serviceName: "Service", standard: false });
      const { url } = await start({ title, language, code }, IMPORTED);
      const request = signTestRequest({ event: "ping", secret: IMPORTED });
      assert.equal(request.headers["webhook-signature"], undefined);
      assert.equal(await post(url, request), 204);
      assert.equal(await post(url, request, { "X-Service-Signature": "0".repeat(64) }), 401);
      assert.equal(await post(url, request, { "X-Service-Signature": null }), 401);
      assert.equal(await post(url, sign({ event: "ping" })), 401);
    },
  );
}
