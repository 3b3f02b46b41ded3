import type { PreviousFileVersion } from "@markethook/protocol";

export interface Resource {
  id: string;
  ownerId: string;
  title: string;
  subtitle: string;
  fileVersion: PreviousFileVersion | null;
  createdAt: number;
  updatedAt: number;
}

export interface ResourceInput extends Pick<Resource, "id" | "ownerId" | "title"> {
  /** Absent: the stored one stays. */
  subtitle?: string;
  /** Absent: the stored one stays. */
  fileVersion?: PreviousFileVersion;
}

export interface ResourceStore {
  /**
   * Creates or replaces resources. Many are stored in parts, so after an error some may be stored. A deleted resource comes
   * back without its webhooks. A change of owner disables the old owner's webhooks, cancels their open deliveries and makes a
   * notice for both owners.
   */
  put(resources: readonly ResourceInput[]): Promise<("created" | "updated")[]>;
  find(id: string): Promise<Resource | null>;
  list(filter: { ownerId?: string; afterId?: string; limit: number }): Promise<Resource[]>;
  /** Deletes its webhooks too. False when absent. */
  delete(id: string): Promise<boolean>;
}
