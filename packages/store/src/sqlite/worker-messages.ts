export interface WorkerSettings {
  path: string;
  /** Of the thread that reads: the clock of the one that writes. Null: this is the one that writes. */
  reader: { clockBase: number } | null;
  baseUrl: string;
}

export interface WorkerRequest {
  id: number;
  operation: string;
  parameters: unknown[];
}

export interface WorkerReply {
  id: number;
  value?: unknown;
  error?: { name: string; message: string; extra?: Record<string, unknown> };
}
