import type { PreviousFileVersion, ReportedEventName } from "@markethook/protocol";

/** What a marketplace brings along when it moves here; already checked by the edge. */
export type ImportRecord =
  | ImportedResource
  | ImportedWebhook
  | ImportedFirstDownload
  | ImportedFileVersion;

export interface ImportedResource {
  kind: "resource";
  id: string;
  ownerId: string;
  title: string;
  subtitle: string;
  fileVersion?: PreviousFileVersion;
}

export interface ImportedWebhook {
  kind: "webhook";
  /** The id that it gets if it is new here. */
  newId: string;
  resourceId: string;
  /** What the marketplace called it before; absent: it is known by its URL and secret as imported. */
  importId?: string;
  /** Stored encrypted. Of a chat: in its canonical form. */
  url: string;
  /** Absent: `json`. A chat has `shownUrl` and `chat`, the JSON text of its options, too. */
  format?: string;
  shownUrl?: string | undefined;
  chat?: string | undefined;
  events: ReportedEventName[] | null;
  description: string;
  secret: string;
  /** It brought none: this one is for a webhook that is new here, and another one that it has stays. */
  secretMade?: boolean;
  state: "active" | "paused";
  /** Milliseconds since the epoch; absent: now. */
  createdAt?: number;
}

export interface ImportedFirstDownload {
  kind: "firstDownload";
  resourceId: string;
  userId: number;
}

export interface ImportedFileVersion {
  kind: "fileVersion";
  resourceId: string;
  fileVersion: PreviousFileVersion;
}

export type ImportRefusal = "resource_unknown" | "webhook_limit_reached" | "import_conflict";

export type ImportResult =
  | { kind: "created" | "updated" }
  /** `deleted`: it was imported before, and deleted here since. */
  | { kind: "unchanged"; deleted: boolean }
  | { kind: "rejected"; code: ImportRefusal };

export interface ImportStore {
  /**
   * Stores records, in order and in one transaction; one result per record. A refused one takes no other with it.
   *
   * A resource or webhook whose record was imported before, in the same words, is unchanged whatever became of it
   * here since: an old file, imported again, undoes nothing. Nothing is sent because of an import.
   *
   * `dryRun`: the same results, and nothing is changed.
   */
  run(records: readonly ImportRecord[], options: { dryRun: boolean }): Promise<ImportResult[]>;
}
