import type { TestContext } from "node:test";

/** Until the end of the test, local times are those of this time zone. */
export function inTimeZone(t: TestContext, zone: string): void {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  t.after(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });
}
