import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openShop, type Shop } from "../shop.ts";

export const NOW = 1_767_323_045;

/** A shop with the sample data, in a folder that goes with the test. */
export function openTestShop(t: TestContext): Shop & { reopen(): Shop } {
  const folder = mkdtempSync(join(tmpdir(), "markethook-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  const open = (): Shop =>
    openShop({ folder, now: () => NOW, newId: () => `${(count += 1)}`.padStart(4, "0") });
  // Spreading would read `data` once.
  return Object.assign(Object.create(open()) as Shop, { reopen: open });
}
