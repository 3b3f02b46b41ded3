/** Options for opening either database. */
export interface OpenOptions {
  /** Base URL of resource pages: `{baseUrl}/resource/{id}`. */
  baseUrl: string;
  /** 32 bytes each; the first one encrypts, all can decrypt. */
  masterKeys: readonly Uint8Array[];
}
