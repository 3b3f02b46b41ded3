import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { withWholeLinks } from "./whole-links.ts";

const packed = {
  root: join(import.meta.dirname, ".."),
  repository: "git+https://code.example/us/it.git",
  isPacked: (path: string) => path.startsWith("docs/"),
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
  ]) {
    assert.equal(whole(same), same);
  }
});
