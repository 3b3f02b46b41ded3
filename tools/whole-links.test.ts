import assert from "node:assert/strict";
import { test } from "node:test";
import { withWholeLinks } from "./whole-links.ts";

const packed = {
  repository: "git+https://code.example/us/it.git",
  isPacked: (path: string) => /^docs\/.*\.md$/.test(path),
};
const MAIN = "https://code.example/us/it/blob/main";

test("a link to a file that is not in the package leads to the repository, and all others stay", () => {
  const page = "docs/reference/guard.md";
  const whole = (text: string): string => withWholeLinks(text, { ...packed, page });
  assert.equal(whole("[lab](../../test/lab/lab.test.ts)"), `[lab](${MAIN}/test/lab/lab.test.ts)`);
  assert.equal(whole("[c](../../CONTRIBUTING.md#tests)"), `[c](${MAIN}/CONTRIBUTING.md#tests)`);
  for (const same of [
    "[api](api.md#deliveries)",
    "[how](../how-to/upgrade.md)",
    "[here](#names)",
    "[there](https://www.standardwebhooks.com)",
    "`handlers[0](event)`",
    "```js\nhandlers[0](event);\n```",
  ]) {
    assert.equal(whole(same), same);
  }
});

/** An image is made without the tests and the contributors' pages: links to them led to nothing in it. */
test("a link leads to the repository also where the package is made without the file", () => {
  assert.equal(
    withWholeLinks("[how](not/there.md)", { ...packed, page: "SECURITY.md" }),
    `[how](${MAIN}/not/there.md)`,
  );
});
