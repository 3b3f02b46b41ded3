import type { HttpsRow } from "../cases/https.ts";
import type { BadManner, BadNeighbours } from "../cases/bad-neighbours.ts";
import type { FastifyAlone } from "../cases/ceilings.ts";
import type { AtLoad } from "../cases/latency.ts";
import type { ManyWebhooks } from "../cases/many-webhooks.ts";
import type { PeerRates } from "../cases/peer-rates.ts";
import type { Pending } from "../cases/pending.ts";
import type { StoreRates } from "../cases/store-rates.ts";
import type { StoreKind } from "../rig/service.ts";

/** One round: everything in it was measured one after the other, so that its ratios mean something. */
export interface Round {
  bareLoop: number;
  fastify: FastifyAlone;
  stores: Partial<Record<StoreKind, StoreRates>>;
  peer: PeerRates | null;
}

export interface Results {
  rounds: Round[];
  latency: Partial<Record<StoreKind, AtLoad[]>>;
  badNeighbours: Partial<Record<StoreKind, Partial<Record<BadManner, BadNeighbours[]>>>>;
  pending: Partial<Record<StoreKind, Pending>>;
  manyWebhooks: Partial<Record<StoreKind, ManyWebhooks[]>>;
  /** Of all rounds; a row of one name for each. */
  https: Partial<Record<StoreKind, HttpsRow[]>>;
  /** What was not measured, and why. */
  skipped: string[];
}
