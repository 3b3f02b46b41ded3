import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMITS } from "@markethook/protocol";
import { createTestApp } from "../testing/test-app.ts";

/** As PHP and Python write JSON unless they are told otherwise. */
function escaped(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\0-~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

test("the longest description of an update is taken in every script, also with all of it escaped", async () => {
  const api = await createTestApp();
  for (const [index, letter] of ["x", "ж", "木", "🦄"].entries()) {
    const answer = await api.send({
      method: "POST",
      url: "/v1/resources/map-1/events",
      headers: { authorization: `Bearer ${api.key}`, "content-type": "application/json" },
      payload: escaped({
        event: "product.update",
        resource: { title: letter.repeat(LIMITS.titleLength), ownerId: "o-1" },
        update: {
          version: "1.1",
          id: `u${index}`,
          size: 5,
          fileType: "zip",
          title: letter.repeat(LIMITS.titleLength),
          description: letter.repeat(LIMITS.descriptionLength),
        },
        previous: { version: "1.0", id: "u", time: 1, size: 5, fileType: "zip" },
      }),
    });
    assert.equal(answer.statusCode, 202, `${letter}: ${answer.body.slice(0, 200)}`);
  }
});
