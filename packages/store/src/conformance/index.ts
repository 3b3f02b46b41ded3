import { after, before, describe } from "node:test";
import { testAccept } from "./accept.ts";
import type { Harness, OpenHarness } from "./harness.ts";
import { World } from "./world.ts";

const AGGREGATES: readonly [string, (world: () => World) => void][] = [["accepting", testAccept]];

/** Runs every behaviour that both databases promise against the store that it is handed. */
export function testStore(name: string, openHarness: OpenHarness): void {
  for (const [aggregate, define] of AGGREGATES) {
    describe(`${name}: ${aggregate}`, () => {
      let harness: Harness | undefined;
      let world: World | undefined;
      before(async () => {
        harness = await openHarness();
        world = new World(harness);
      });
      after(async () => await harness?.close());
      define(() => {
        if (world === undefined) throw new Error("the store did not open");
        return world;
      });
    });
  }
}
