/** What both databases need to open. */
export interface OpenOptions {
  /** Of resource pages: `{baseUrl}/resource/{id}`. */
  baseUrl: string;
  /** 32 bytes each; the first encrypts, all open. */
  masterKeys: readonly Uint8Array[];
}
