import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeSampleData } from "./sample-data.ts";
import type { ShopData, SoldResource } from "./shop-data.ts";

/** The marketplace's own database: one JSON file, and a folder with the files it sells. */
export interface Shop {
  /** As it is now; changed only through `change`. */
  readonly data: Readonly<ShopData>;
  /** All of the change is on disk when this returns, or none of it was made. */
  change<T>(make: (data: ShopData) => T): T;
  /** The same of one resource; null if there is none. */
  changeResource<T>(id: string, make: (resource: SoldResource, data: ShopData) => T): T | null;
  findResource(id: string): SoldResource | undefined;
  /** Where the file of a version lies. */
  pathOf(versionId: string): string;
  newId(): string;
  /** Unix seconds. */
  now(): number;
}

export interface ShopOptions {
  folder: string;
  newId: () => string;
  /** Unix seconds. */
  now: () => number;
}

export function openShop({ folder, newId, now }: ShopOptions): Shop {
  const file = join(folder, "sample-marketplace.json");
  const filesFolder = join(folder, "sample-marketplace-files");
  const pathOf = (versionId: string): string => join(filesFolder, versionId);
  // It makes the service's data folder too, in which keys will be.
  mkdirSync(filesFolder, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    const { data, files } = makeSampleData(now(), newId);
    for (const [id, content] of files) writeFileSync(pathOf(id), content);
    writeWhole(file, data);
  }
  let data = readData(file);
  const change: Shop["change"] = (make) => {
    const next = structuredClone(data);
    const result = make(next);
    writeWhole(file, next);
    data = next;
    return result;
  };
  return {
    get data() {
      return data;
    },
    change,
    changeResource: (id, make) =>
      change((next) => {
        const resource = next.resources.find((one) => one.id === id);
        return resource === undefined ? null : make(resource, next);
      }),
    findResource: (id) => data.resources.find((resource) => resource.id === id),
    pathOf,
    newId,
    now,
  };
}

function readData(file: string): ShopData {
  const data = JSON.parse(readFileSync(file, "utf8")) as Partial<ShopData>;
  if (data.format !== 1)
    throw new Error(`${file} is not of this sample marketplace. Move it away.`);
  return data as ShopData; // This program wrote it, whole.
}

/** The file is the old one or the new one, also after a crash in between. */
function writeWhole(file: string, data: ShopData): void {
  const draft = `${file}.new`;
  const handle = openSync(draft, "w", 0o600);
  try {
    writeFileSync(handle, JSON.stringify(data, null, 2));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
