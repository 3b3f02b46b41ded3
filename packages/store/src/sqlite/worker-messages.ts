export interface WorkerSettings {
  path: string;
  readOnly: boolean;
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
