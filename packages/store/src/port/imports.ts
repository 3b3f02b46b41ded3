import type { GivenFields, PreviousFileVersion } from "@markethook/protocol";

/** Records that a marketplace imports when it moves here, already checked by the API. */
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

export interface ImportedWebhook extends GivenFields {
  kind: "webhook";
  /** The id that it gets if it is new. */
  newId: string;
  resourceId: string;
  /** Its id in the marketplace's old system. Absent: it is recognised by its imported URL and secret. */
  importId?: string;
  /** Stored encrypted. For a chat: in its canonical form. */
  url: string;
  /** Absent: `json`. A chat has `shownUrl` and `chat`, the JSON text of its options, too. */
  format?: string;
  shownUrl?: string | undefined;
  chat?: string | undefined;
  secret: string;
  /** True if the record had no secret. This one is for a new webhook; an existing webhook keeps its own. */
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

type ImportRefusal = "resource_unknown" | "webhook_limit_reached" | "import_conflict";

export type ImportResult =
  | { kind: "created" | "updated"; webhookId?: string }
  /** `deleted`: it was imported before, and deleted here since. */
  | { kind: "unchanged"; deleted: boolean; webhookId?: string }
  | { kind: "rejected"; code: ImportRefusal };

export interface ImportStore {
  /**
   * Stores records, in order; one result per record. A refused record does not affect the others. Transactions are small,
   * so that other writers get their turns: after a failure the first records may be stored.
   *
   * A resource or webhook whose record was imported before, in the same words, is unchanged, even if it was changed
   * here since. So importing an old file again undoes nothing. An import sends nothing.
   *
   * The results of webhooks have their ids. `dryRun`: the same results without a change; ids of new webhooks are then
   * never used.
   */
  run(records: readonly ImportRecord[], options: { dryRun: boolean }): Promise<ImportResult[]>;
}
