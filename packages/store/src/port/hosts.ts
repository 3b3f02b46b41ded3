/** An address that answered 2xx under a name. */
export interface ConfirmedAddress {
  /** Name and port. */
  host: string;
  address: string;
}

/** Addresses that answered 2xx under the name that led to them, within the last 30 days. */
export interface HostStore {
  /** The latest ones first. */
  confirmed(limit: number): Promise<ConfirmedAddress[]>;
  confirm(addresses: readonly ConfirmedAddress[]): Promise<void>;
}
