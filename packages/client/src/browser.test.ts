import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { test } from "node:test";

test("nothing of Node is loaded, so that it runs in browsers too", async () => {
  const loaded: string[] = [];
  const hooks = registerHooks({
    resolve(name, context, next) {
      const found = next(name, context);
      loaded.push(found.url);
      return found;
    },
  });
  await import("./index.ts");
  hooks.deregister();
  assert.ok(loaded.some((url) => url.endsWith("/create-client.ts")));
  assert.deepEqual(
    loaded.filter((url) => url.startsWith("node:")),
    [],
  );
});
