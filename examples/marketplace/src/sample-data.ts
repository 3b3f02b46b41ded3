import { OWNER } from "./people.ts";
import type { FileVersion, ShopData, SoldResource } from "./shop-data.ts";

/** The resource that development mode opens on. */
export const SAMPLE_RESOURCE = {
  id: "sample-plugin",
  title: "Sample Plugin",
  subtitle: "Thing to try Markethook with",
  ownerId: OWNER.id,
} as const;

const DAY = 24 * 3600;

const PLUGIN = `-- Sample Plugin: greets anyone who joins.
local greeting = "Welcome, %s!"

function on_join(player)
  player:say(string.format(greeting, player.name))
end
`;

const MAP = `{
  "name": "Harbour",
  "size": [64, 64],
  "spawn": [12, 30],
  "buildings": [{ "kind": "lighthouse", "at": [60, 4] }, { "kind": "pier", "at": [20, 33] }]
}
`;

/** What the marketplace has at its first start, and the contents of its files by the id of their version. */
export function makeSampleData(
  now: number,
  newId: () => string,
): { data: ShopData; files: Map<string, string> } {
  const files = new Map<string, string>();
  const version = (
    label: string,
    daysAgo: number,
    content: string,
    rest: Pick<FileVersion, "branch" | "fileType" | "title" | "description">,
  ): FileVersion => {
    const id = `update-${newId()}`;
    files.set(id, content);
    const size = Buffer.byteLength(content);
    return { id, version: label, time: now - daysAgo * DAY, size, ...rest };
  };
  const resource = (
    of: Pick<SoldResource, "id" | "title" | "subtitle" | "price" | "versions">,
  ): SoldResource => ({ ownerId: OWNER.id, revision: 1, toldRevision: 0, ...of });

  const resources = [
    resource({
      ...SAMPLE_RESOURCE,
      price: "4.99",
      versions: [
        version("1.0", 40, PLUGIN.replace("Welcome, %s!", "Hello %s"), {
          branch: "release",
          fileType: "lua",
          title: "First release",
          description: "Greets anyone who joins.",
        }),
        version("1.1", 9, PLUGIN, {
          branch: "release",
          fileType: "lua",
          title: "A warmer welcome",
          description: "The greeting is friendlier.",
        }),
      ],
    }),
    resource({
      id: "sample-map",
      title: "Harbour Map",
      subtitle: "A small map with a lighthouse",
      price: "2.50",
      versions: [
        version("0.9", 3, MAP, {
          branch: "snapshot",
          fileType: "json",
          title: "First look",
          description: "The pier is finished, the town is not.",
        }),
      ],
    }),
  ];
  return {
    data: { format: 1, resources, orders: [], removals: [], firstDownloads: [], reports: [] },
    files,
  };
}
