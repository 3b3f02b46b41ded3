import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import {
  checkShape,
  EVENT_NAMES,
  EVENT_SUBJECTS,
  type EventSubject,
  PAYLOAD_SHAPES,
  shownUrl,
} from "@markethook/protocol";
import { type ServiceProcess, startServiceProcess } from "../service-process.ts";
import { type CapturingReceiver, startCapturingReceiver } from "./capturing-receiver.ts";

const TITLE = "Größe 🎉 “Ω”";
const PRODUCT = `{"id":"plug_1","title":"${TITLE}","subtitle":"Ünter","url":"https://market.example/resource/plug_1"}`;
const PREVIOUS = `{"version":"1.0","id":"u1","time":1700000000,"size":"1024","fileType":"jar","branch":"release"}`;
const UPDATE = `{"version":"1.1","id":"u2","time":1700000500,"size":"2048","fileType":"jar","branch":"snapshot","title":"Näw","description":"Line 1\\nLine \\"2\\""}`;

interface Case {
  /** As reported; null: the ping button. */
  report: Record<string, unknown> | null;
  /** The payload as the specification has it, written by hand. */
  payload: (url: string) => string;
}

const CASES: Readonly<Record<EventSubject, Case>> = {
  webhook: {
    report: null,
    payload: (url) => `{"product":${PRODUCT},"webhook":{"url":"${url}"}}`,
  },
  update: {
    report: {
      update: {
        version: "1.1",
        id: "u2",
        time: 1_700_000_500,
        size: 2048,
        fileType: "jar",
        branch: "snapshot",
        title: "Näw",
        description: 'Line 1\nLine "2"',
      },
    },
    payload: () => `{"product":${PRODUCT},"previous":${PREVIOUS},"update":${UPDATE}}`,
  },
  user: {
    report: { user: { id: 9_007_199_254_740_991 }, details: { buyerName: "Never on the wire" } },
    payload: () => `{"product":${PRODUCT},"user":{"id":9007199254740991}}`,
  },
};

/** Raw bytes off the socket against the specification, and against what the API shows of them afterwards. */
export function wireSuite(
  database: string,
  env: () => Promise<{ env: Record<string, string>; drop(): Promise<void> }>,
): void {
  let service: ServiceProcess;
  let receiver: CapturingReceiver;
  let drop: () => Promise<void>;
  let webhook: { id: string; secret: string; url: string };
  const api: ServiceProcess["api"] = (...request) => service.api(...request);

  before(async () => {
    const place = await env();
    drop = () => place.drop();
    receiver = await startCapturingReceiver();
    service = await startServiceProcess({
      MARKETHOOK_RETRY_SCHEDULE: "30ms,30ms,30ms",
      ...place.env,
    });
    await api("PUT", "/resources/plug_1", {
      title: TITLE,
      subtitle: "Ünter",
      ownerId: "o",
      fileVersion: {
        version: "1.0",
        id: "u1",
        time: 1_700_000_000,
        size: "1024",
        fileType: "jar",
        branch: "release",
      },
    });
    const url = `${receiver.url}/in/ä?b=1&c=%2F`;
    const made = await api("POST", "/resources/plug_1/webhooks", { url });
    webhook = { id: String(made["id"]), secret: String(made["secret"]), url };
  });

  after(async () => {
    service.signal("SIGTERM");
    assert.equal(await service.exited, 0);
    await receiver.close();
    await drop();
  });

  for (const name of EVENT_NAMES) {
    const { report, payload } = CASES[EVENT_SUBJECTS[name]];
    test(`${database}: ${name} on the wire is the specification to the letter`, async () => {
      const count = receiver.requests.length;
      if (report === null) await api("POST", `/webhooks/${webhook.id}/ping`, {});
      else
        await api("POST", "/resources/plug_1/events", {
          event: name,
          occurredAt: 1_700_001_000,
          ...report,
        });
      await receiver.arrived(count + 1);
      const { line, headers, body } = parse(receiver.requests[count]);

      assert.equal(line, "POST /in/%C3%A4?b=1&c=%2F HTTP/1.1");
      const nonce =
        /^\{"event":"[^"]+","time":\d+,"nonce":"([A-Za-z0-9_-]{16})",/.exec(body)?.[1] ?? "";
      const time = report === null ? Number(/"time":(\d+)/.exec(body)?.[1]) : 1_700_001_000;
      assert.equal(
        body,
        `{"event":"${name}","time":${time},"nonce":"${nonce}","payload":${payload(webhook.url)}}`,
      );
      assert.equal(checkShape(PAYLOAD_SHAPES[name], JSON.parse(payload(webhook.url))), null);

      const names = headers.map(([header]) => header);
      assert.equal(
        new Set(names.map((header) => header.toLowerCase())).size,
        names.length,
        "a header stands twice",
      );
      const value = (header: string): string => headers.find(([of]) => of === header)?.[1] ?? "";
      assert.equal(value("Content-Type"), "application/json");
      assert.equal(value("Content-Length"), String(Buffer.byteLength(body)));
      assert.equal(value("X-Service-Webhook-Version"), "1");
      assert.equal(
        value("X-Service-Signature"),
        createHmac("sha256", webhook.secret).update(body).digest("hex"),
      );
      const signed = `${value("webhook-id")}.${value("webhook-timestamp")}.${body}`;
      const standard = createHmac("sha256", Buffer.from(webhook.secret, "base64"))
        .update(signed)
        .digest("base64");
      assert.equal(value("webhook-signature"), `v1,${standard}`);
      assert.equal(value("X-Service-Hook-Id"), webhook.id);
      assert.equal(value("X-Service-Resource-Id"), "plug_1");
      assert.match(value("X-Service-Delivery-Id"), /^dlv_[0-9a-z]+$/);
      assert.equal(value("X-Service-Attempt"), "1");
      assert.match(value("User-Agent"), /^Markethook\/\d/);
      assert.equal(value("Host"), new URL(receiver.url).host);
      assert.ok(!names.includes("Transfer-Encoding"));
    });
  }

  test(`${database}: a retry has a new nonce and signature, the same time and webhook-id`, async () => {
    const count = receiver.requests.length;
    receiver.answers = [500, 503];
    await api("POST", "/resources/plug_1/events", {
      event: "product.user.purchase",
      user: { id: 7 },
    });
    await receiver.arrived(count + 3);
    const attempts = receiver.requests.slice(count, count + 3).map(parse);
    const distinct = (pick: (request: Parsed) => string): number =>
      new Set(attempts.map(pick)).size;
    const header = (request: Parsed, name: string): string =>
      request.headers.find(([of]) => of === name)?.[1] ?? "";
    assert.equal(
      distinct(({ body }) => /"nonce":"([^"]+)"/.exec(body)?.[1] ?? ""),
      3,
    );
    assert.equal(
      distinct((request) => header(request, "X-Service-Signature")),
      3,
    );
    assert.equal(
      distinct(({ body }) => /"time":(\d+)/.exec(body)?.[1] ?? ""),
      1,
    );
    assert.equal(
      distinct((request) => header(request, "webhook-id")),
      1,
    );
    assert.equal(
      distinct(({ body }) => body.slice(body.indexOf('"payload"'))),
      1,
    );
    assert.deepEqual(
      attempts.map((request) => header(request, "X-Service-Attempt")),
      ["1", "2", "3"],
    );
  });

  test(`${database}: what the API shows equals the captured bytes but for the path, after edit, rotation and renaming too`, async () => {
    const shown = async (): Promise<string[]> => {
      const { items } = (await api("GET", `/webhooks/${webhook.id}/deliveries?limit=200`)) as {
        items: { id: string }[];
      };
      const texts: string[] = [];
      for (const { id } of items) {
        const detail = (await api("GET", `/deliveries/${id}`)) as {
          attemptList: {
            request: { method: string; url: string; headers: [string, string][]; body: string };
          }[];
        };
        for (const { request } of detail.attemptList) texts.push(printed(request));
      }
      return texts.sort();
    };
    await ended();
    const captured = receiver.requests.map((request) => withoutPath(request, webhook.url)).sort();
    assert.deepEqual(await shown(), captured);
    await api("PATCH", `/webhooks/${webhook.id}`, { url: `${receiver.url}/elsewhere` });
    await api("POST", `/webhooks/${webhook.id}/secret/rotate`, { mode: "switch_now" });
    await api("PUT", "/resources/plug_1", { title: "Renamed", subtitle: "", ownerId: "o" });
    assert.deepEqual(await shown(), captured);
  });

  test(`${database}: during a rotation both secrets sign, and afterwards the new one alone`, async () => {
    const rotated = await api("POST", `/webhooks/${webhook.id}/secret/rotate`, { mode: "overlap" });
    assert.notEqual(rotated["rotation"], null);
    const secrets = await api("GET", `/webhooks/${webhook.id}/secret`);
    const [current, next] = [
      String(secrets["current"] ?? secrets["secret"]),
      String(secrets["next"]),
    ];
    const send = async (user: number): Promise<Parsed> => {
      const count = receiver.requests.length;
      await api("POST", "/resources/plug_1/events", {
        event: "product.user.purchase",
        user: { id: user },
      });
      await receiver.arrived(count + 1);
      return parse(receiver.requests[count]);
    };
    const hex = (secret: string, { body }: Parsed): string =>
      createHmac("sha256", secret).update(body).digest("hex");
    const both = await send(100);
    const value = (request: Parsed, name: string): string | undefined =>
      request.headers.find(([of]) => of === name)?.[1];
    assert.equal(value(both, "X-Service-Signature"), hex(current, both));
    assert.equal(value(both, "X-Service-Signature-Next"), hex(next, both));
    assert.equal(value(both, "webhook-signature")?.split(" ").length, 2);
    await api("POST", `/webhooks/${webhook.id}/secret/switch`, {});
    const alone = await send(101);
    assert.equal(value(alone, "X-Service-Signature"), hex(next, alone));
    assert.equal(value(alone, "X-Service-Signature-Next"), undefined);
  });

  /** The last answers are recorded. */
  async function ended(): Promise<void> {
    for (;;) {
      const { items } = (await api("GET", `/webhooks/${webhook.id}/deliveries?limit=200`)) as {
        items: { endedAt: string | null }[];
      };
      if (items.every((item) => item.endedAt !== null)) return;
      await pause(10);
    }
  }
}

interface Parsed {
  line: string;
  headers: [string, string][];
  body: string;
}

function parse(request: Buffer | undefined): Parsed {
  const text = request?.toString("utf8") ?? "";
  const end = text.indexOf("\r\n\r\n");
  const [line = "", ...rest] = text.slice(0, end).split("\r\n");
  const headers = rest.map((header): [string, string] => {
    const colon = header.indexOf(": ");
    return [header.slice(0, colon), header.slice(colon + 2)];
  });
  return { line, headers, body: text.slice(end + 4) };
}

/** As it is shown: the path is a secret, also in a ping's body. */
function withoutPath(request: Buffer, url: string): string {
  const text = request.toString("utf8").replace(/^POST \S+ /, "POST /%E2%80%A6 ");
  const { body } = parse(request);
  const shown = body.replace(url, shownUrl(url));
  return text
    .replace(body, shown)
    .replace(/Content-Length: \d+/, `Content-Length: ${Buffer.byteLength(shown)}`);
}

function printed(request: {
  method: string;
  url: string;
  headers: [string, string][];
  body: string;
}): string {
  const { pathname, search } = new URL(request.url);
  const headers = request.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${request.method} ${pathname}${search} HTTP/1.1\r\n${headers}\r\n${request.body}`;
}
