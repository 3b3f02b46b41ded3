import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Choices } from "../simulation/choices.ts";
import type { DiskRecord } from "./recording.ts";

/**
 * What becomes of what no sync covers when the power goes: none of it, all of it, or of each sector of each write as it
 * comes. A sector is written whole or not at all.
 */
export const FATES = ["lost", "kept", "torn"] as const;
export type Fate = (typeof FATES)[number];

const SECTOR_BYTES = 512;

type Change = Extract<DiskRecord, { kind: "written" | "resized" }>;

interface DiskFile {
  name: string;
  /** As of the last sync. */
  synced: Buffer;
  length: number;
  /** Since then, in order. */
  unsynced: Change[];
  removed: boolean;
}

/** A disk onto which a recording is played, and which can lose its power after any record. */
export class CrashedDisk {
  readonly #files = new Map<number, DiskFile>();
  readonly #choices: Choices;
  /** False: it says that it has synced and has not. */
  isHonest = true;

  constructor(choices: Choices) {
    this.#choices = choices;
  }

  play(record: DiskRecord): void {
    switch (record.kind) {
      case "named": {
        const { file, name } = record;
        const synced = Buffer.alloc(0);
        this.#files.set(file, { name, synced, length: 0, unsynced: [], removed: false });
        break;
      }
      case "folder synced":
        for (const [no, file] of this.#files) if (file.removed) this.#files.delete(no);
        break;
      case "removed":
        this.#file(record.file).removed = true;
        break;
      case "synced":
        if (this.isHonest) this.#sync(this.#file(record.file));
        break;
      default:
        this.#file(record.file).unsynced.push(record);
    }
  }

  /** Writes the files as they are found after the power has gone. */
  writeTo(folder: string, fate: Fate): void {
    const chance = (): boolean => fate === "kept" || (fate === "torn" && this.#choices.chance(0.5));
    for (const file of this.#files.values()) {
      // A file under this name may have come after it.
      if (file.removed && chance()) continue;
      const image = { synced: Buffer.from(file.synced), length: file.length };
      for (const change of file.unsynced) {
        if (change.kind === "resized") {
          if (chance()) resize(image, change.length);
        } else {
          const { offset, bytes } = change;
          for (let at = 0, to = 0; at < bytes.length; at = to) {
            to = at + SECTOR_BYTES - ((offset + at) % SECTOR_BYTES);
            if (chance()) write(image, offset + at, bytes.subarray(at, to));
          }
        }
      }
      if (image.length === 0 && file.unsynced.length > 0 && fate !== "kept") continue;
      writeFileSync(join(folder, file.name), image.synced.subarray(0, image.length));
    }
  }

  #file(no: number): DiskFile {
    const file = this.#files.get(no);
    if (file === undefined) throw new Error(`file ${no} has no name`);
    return file;
  }

  #sync(file: DiskFile): void {
    for (const change of file.unsynced) {
      if (change.kind === "resized") resize(file, change.length);
      else write(file, change.offset, change.bytes);
    }
    file.unsynced = [];
  }
}

type Content = Pick<DiskFile, "synced" | "length">;

function write(content: Content, offset: number, bytes: Buffer): void {
  const end = offset + bytes.length;
  if (end > content.synced.length) {
    const more = Buffer.alloc(Math.max(end, 2 * content.synced.length));
    content.synced.copy(more, 0, 0, content.length);
    content.synced = more;
  }
  bytes.copy(content.synced, offset);
  content.length = Math.max(content.length, end);
}

function resize(content: Content, length: number): void {
  if (length < content.length) content.synced.fill(0, length, content.length);
  else write(content, length, Buffer.alloc(0));
  content.length = length;
}
