import { LIMITS, type PreviousFileVersion } from "@markethook/protocol";
import type { Selectable } from "kysely";
import type {
  ImportedFileVersion,
  ImportedFirstDownload,
  ImportedResource,
  ImportedWebhook,
  ImportRecord,
  ImportResult,
} from "../../port/imports.ts";
import type { Resource } from "../../port/resources.ts";
import type { Encryption } from "../../encryption.ts";
import type { Tables } from "../../tables.ts";
import { fingerprintOf, type ImportKeys } from "./import-keys.ts";
import type { KnownRows } from "./import-known.ts";
import { toResource } from "../resources/resources.ts";
import { addressOf } from "../webhooks/webhook-address.ts";
import { fieldColumns, fieldsOf } from "../webhooks/webhook-fields.ts";

type ResourceRow = Selectable<Tables["resources"]>;
type WebhookRow = Selectable<Tables["webhooks"]>;

/** A resource after the records so far. */
interface PlannedResource extends Omit<Resource, "createdAt" | "updatedAt"> {
  importHash: string | null;
  deleted: boolean;
  /** How often the records have sold it. */
  sales: number;
  row: ResourceRow | null;
}

/** A webhook that a record has created or changed. */
export interface PlannedWebhook {
  importKey: string;
  importHash: string;
  record: ImportedWebhook;
  ownerId: string;
  /** The `sales` of its resource when its owner made it. */
  sales: number;
  /** Null: it is new. */
  row: WebhookRow | null;
}

const UNCHANGED = { kind: "unchanged", deleted: false } as const;
const UNKNOWN: ImportResult = { kind: "rejected", code: "resource_unknown" };
const CONFLICT: ImportResult = { kind: "rejected", code: "import_conflict" };

/** Decides about records one after the other, in memory; collects the rows to be written. */
export class ImportPlan {
  readonly changedResources = new Map<string, PlannedResource>();
  /** Webhooks by import key. */
  readonly changedWebhooks = new Map<string, PlannedWebhook>();
  readonly newDedupeKeys = new Set<string>();
  readonly #keys: ImportKeys;
  readonly #encryption: Encryption;
  readonly #resources: Map<string, PlannedResource>;
  readonly #webhooks: Map<string, WebhookRow>;
  readonly #counts: Map<string, number>;
  readonly #dedupeKeys: Set<string>;

  constructor(known: KnownRows, keys: ImportKeys, encryption: Encryption) {
    this.#keys = keys;
    this.#encryption = encryption;
    this.#resources = new Map(known.resources.map((row) => [row.id, plannedResource(row)]));
    this.#webhooks = new Map(known.webhooks.map((row) => [row.import_key ?? "", row]));
    this.#counts = new Map(
      known.webhookCounts.map((row) => [`${row.resourceId} ${row.ownerId}`, row.count]),
    );
    this.#dedupeKeys = new Set(known.dedupeKeys);
  }

  judge(record: ImportRecord): ImportResult {
    switch (record.kind) {
      case "resource":
        return this.#resource(record);
      case "webhook":
        return this.#webhook(record);
      case "firstDownload":
        return this.#firstDownload(record);
      case "fileVersion":
        return this.#fileVersion(record);
    }
  }

  /** Whether its resource was given to another owner, which disables it, even if its owner has bought it back. */
  isSold({ record, ownerId, sales }: PlannedWebhook): boolean {
    const resource = this.#liveResource(record.resourceId);
    return resource?.ownerId !== ownerId || resource.sales !== sales;
  }

  #resource(record: ImportedResource): ImportResult {
    const { id, ownerId, title, subtitle } = record;
    const importHash = this.#keys.resourceHash(record);
    const before = this.#resources.get(id);
    if (before?.importHash === importHash) return { kind: "unchanged", deleted: before.deleted };
    const known = before?.deleted === true ? undefined : before;
    const after: PlannedResource = {
      id,
      ownerId,
      title,
      subtitle,
      fileVersion: newer(known?.fileVersion ?? null, record.fileVersion),
      importHash,
      deleted: false,
      sales: (known?.sales ?? 0) + (known === undefined || known.ownerId === ownerId ? 0 : 1),
      row: before?.row ?? null,
    };
    this.#putResource(after);
    if (known === undefined) return { kind: "created" };
    const same =
      known.ownerId === ownerId &&
      known.title === title &&
      known.subtitle === subtitle &&
      known.fileVersion === after.fileVersion;
    return same ? UNCHANGED : { kind: "updated" };
  }

  #webhook(record: ImportedWebhook): ImportResult {
    const importKey = this.#keys.webhookKey(record);
    const importHash = this.#keys.webhookHash(fingerprintOf(record));
    const planned = this.changedWebhooks.get(importKey);
    if (planned !== undefined) {
      const webhookId = planned.row?.id ?? planned.record.newId;
      if (planned.importHash === importHash) return { ...UNCHANGED, webhookId };
      if (this.isSold(planned)) return CONFLICT;
      Object.assign(planned, { importHash, record: { ...record, newId: planned.record.newId } });
      return { kind: "updated", webhookId };
    }
    const row = this.#webhooks.get(importKey);
    if (row === undefined) return this.#newWebhook(record, importKey, importHash);
    const webhookId = row.id;
    const deleted = row.deleted_at !== null;
    if (deleted || row.import_hash === importHash) return { kind: "unchanged", deleted, webhookId };
    const change = { importKey, importHash, record, ownerId: row.owner_id, sales: 0, row };
    if (this.isSold(change) || this.#changedHere(row)) return CONFLICT;
    this.changedWebhooks.set(importKey, change);
    return { kind: "updated", webhookId };
  }

  #newWebhook(record: ImportedWebhook, importKey: string, importHash: string): ImportResult {
    const resource = this.#liveResource(record.resourceId);
    if (resource === undefined) return UNKNOWN;
    const { ownerId, sales } = resource;
    const place = `${resource.id} ${ownerId}`;
    const count = this.#counts.get(place) ?? 0;
    if (count >= LIMITS.webhooksPerResource) {
      return { kind: "rejected", code: "webhook_limit_reached" };
    }
    this.#counts.set(place, count + 1);
    this.changedWebhooks.set(importKey, {
      importKey,
      importHash,
      record,
      ownerId,
      sales,
      row: null,
    });
    return { kind: "created", webhookId: record.newId };
  }

  #firstDownload({ resourceId, userId }: ImportedFirstDownload): ImportResult {
    const dedupeKey = this.#keys.firstDownload(resourceId, userId);
    if (this.#dedupeKeys.has(dedupeKey)) return UNCHANGED;
    // Otherwise only buyers would notice a misspelt resource.
    if (this.#liveResource(resourceId) === undefined) return UNKNOWN;
    this.#dedupeKeys.add(dedupeKey);
    this.newDedupeKeys.add(dedupeKey);
    return { kind: "created" };
  }

  #fileVersion(record: ImportedFileVersion): ImportResult {
    const resource = this.#liveResource(record.resourceId);
    if (resource === undefined) return UNKNOWN;
    const version = newer(resource.fileVersion, record.fileVersion);
    if (version === resource.fileVersion) return UNCHANGED;
    this.#putResource({ ...resource, fileVersion: version });
    return { kind: resource.fileVersion === null ? "created" : "updated" };
  }

  #liveResource(id: string): PlannedResource | undefined {
    const resource = this.#resources.get(id);
    return resource?.deleted === true ? undefined : resource;
  }

  #putResource(resource: PlannedResource): void {
    this.#resources.set(resource.id, resource);
    this.changedResources.set(resource.id, resource);
  }

  /** Whether the webhook differs from the result of the last import. */
  #changedHere(row: WebhookRow): boolean {
    if (row.next_secret !== null || row.cancel_before !== null) return true;
    const secret = this.#encryption.tryDecrypt(row.secret, row.id);
    // The import did not write a text that cannot be decrypted.
    if (secret === null || this.#encryption.tryDecrypt(row.url, row.id) === null) return true;
    const { url, chat } = addressOf(row, this.#encryption);
    const now = { url, ...fieldColumns(fieldsOf(row)), state: row.state, chat };
    // An import without a secret does not compare it.
    const untouched = [secret, null].map((one) => this.#keys.webhookHash({ ...now, secret: one }));
    return !untouched.includes(row.import_hash ?? "");
  }
}

function plannedResource(row: ResourceRow): PlannedResource {
  const { import_hash: importHash, deleted_at: deletedAt } = row;
  return { ...toResource(row), importHash, deleted: deletedAt !== null, sales: 0, row };
}

/** Returns the same object if the record has nothing newer. A correction of the current version counts as newer. */
function newer(
  current: PreviousFileVersion | null,
  brought: PreviousFileVersion | undefined,
): PreviousFileVersion | null {
  if (brought === undefined) return current;
  if (current === null || brought.time > current.time) return brought;
  const corrects =
    brought.id === current.id &&
    brought.time === current.time &&
    (brought.version !== current.version ||
      brought.size !== current.size ||
      brought.fileType !== current.fileType ||
      brought.branch !== current.branch);
  return corrects ? brought : current;
}
