export interface WorkerSettings {
  path: string;
  /** For the reading thread: the clock of the writing one. Null: this is the writing thread. */
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
