import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { verify } from "./verify.ts";

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
}

const files = globSync("*.json", { cwd: FOLDER });

test("there are golden vectors", () => assert.notEqual(files.length, 0));

for (const file of files) {
  test(`the golden vector ${file} is accepted with each of its secrets`, () => {
    // Written by tools/vectors.ts in this form.
    const vector = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Vector;
    const { serviceName } = vector.profile;
    const now = () => vector.variables.timestamp * 1000;
    const body = Buffer.from(vector.request.body);
    for (const secret of [vector.secret, vector.nextSecret ?? vector.secret]) {
      const result = verify(body, vector.request.headers, secret, { serviceName, now });
      assert.ok(result.ok && result.kind === "event", JSON.stringify(result));
      assert.equal(result.event.event, vector.constants.eventName);
      assert.equal(result.id, vector.constants.eventId);
      assert.equal(result.webhookId, vector.constants.webhookId);
    }
    const wrong = verify(body, vector.request.headers, "another", { serviceName, now });
    assert.equal(wrong.ok, false);
  });
}
