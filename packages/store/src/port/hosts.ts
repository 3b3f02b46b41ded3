/** Hosts (name and port) that answered 2xx once. */
export interface HostStore {
  /** The latest ones first. */
  confirmed(limit: number): Promise<string[]>;
  /** Those that are known already stay as they are. */
  confirm(hosts: readonly string[]): Promise<void>;
}
