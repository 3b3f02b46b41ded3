/** How much is measured. The short run is for CI: it finds a fall by a third, not one by a tenth. */
export interface Sizes {
  repeats: number;
  batchedEvents: number;
  singleEvents: number;
  warmUpEvents: number;
  pacedSeconds: number;
  pending: number;
  pendingWebhooks: number;
  manyWebhooks: number;
  https: {
    events: number;
    /** After which receivers answer. */
    delaysMs: readonly number[];
    bursts: number;
    /** Deliveries on a connection each; 0: neither these nor bursts. */
    handshakes: number;
    /** Resumed handshakes are measured with these too (`MARKETHOOK_TLS_CURVES`); null: they are not. */
    curves: string | null;
    /** Number of receivers with an origin each that close after each answer. */
    origins: number;
  };
  /** With each of these the https case runs; 0: the main thread sends. */
  senderThreads: readonly number[];
}

export const FULL: Sizes = {
  repeats: 3,
  batchedEvents: 150_000,
  singleEvents: 50_000,
  warmUpEvents: 30_000,
  pacedSeconds: 10,
  pending: 1_000_000,
  pendingWebhooks: 10_000,
  manyWebhooks: 100_000,
  https: {
    events: 40_000,
    delaysMs: [0, 5, 20],
    bursts: 4,
    handshakes: 4_000,
    curves: "X25519:P-256:P-384",
    origins: 10_000,
  },
  senderThreads: [0],
};

export const SHORT: Sizes = {
  ...FULL,
  repeats: 1,
  batchedEvents: 60_000,
  singleEvents: 15_000,
  warmUpEvents: 20_000,
  https: { events: 30_000, delaysMs: [0], bursts: 0, handshakes: 0, curves: null, origins: 0 },
};
