import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { standardKey } from "@markethook/protocol";

import { verify } from "./verify-sync.ts";

const FOLDER = join(import.meta.dirname, "../../../vectors");

/** The members of a golden vector that a receiver sees. */
interface Vector {
  about: string;
  secret: string;
  nextSecret?: string;
  profile: { serviceName: string };
  constants: { eventName: string; eventId: string; webhookId: string };
  variables: { timestamp: number };
  request: { headers: [string, string][]; body: string };
  receiver: {
    about: string;
    now: number;
    changes: Record<string, string | null>;
    accepts: { standard: boolean; service: boolean };
  }[];
}

const files = globSync("*.json", { cwd: FOLDER });

test("there are golden vectors", () => assert.notEqual(files.length, 0));

for (const file of files) {
  // Written by tools/vectors.ts in this form.
  const vector = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Vector;
  const { serviceName } = vector.profile;
  const body = Buffer.from(vector.request.body);

  test(`the golden vector ${file} is accepted with each of its secrets`, () => {
    const now = () => vector.variables.timestamp * 1000;
    for (const secret of [vector.secret, vector.nextSecret ?? vector.secret]) {
      const required = standardKey(secret) === null ? "service" : "standard";
      const options = { serviceName, now, require: required } as const;
      const result = verify(body, vector.request.headers, secret, options);
      assert.ok(result.ok && result.kind === "event", JSON.stringify(result));
      assert.equal(result.event.event, vector.constants.eventName);
      assert.equal(result.id, vector.constants.eventId);
      assert.equal(result.webhookId, vector.constants.webhookId);
    }
    const wrong = verify(body, vector.request.headers, "another", { serviceName, now });
    assert.equal(wrong.ok, false);
  });

  test(`the golden vector ${file}, changed, late and stripped, is judged as it says`, () => {
    const secrets = [
      vector.secret,
      ...(vector.nextSecret === undefined ? [] : [vector.nextSecret]),
    ];
    assert.ok(vector.receiver.length > 8);
    for (const { about, now, changes, accepts } of vector.receiver) {
      const headers = { ...Object.fromEntries(vector.request.headers), ...changes };
      const kept = Object.entries(headers).filter(
        (entry): entry is [string, string] => entry[1] !== null,
      );
      for (const required of ["standard", "service"] as const) {
        const options = { serviceName, now: () => now * 1000, require: required };
        const { ok } = verify(body, kept, secrets, options);
        assert.equal(ok, accepts[required], `${about} ${required}`);
      }
    }
  });
}
