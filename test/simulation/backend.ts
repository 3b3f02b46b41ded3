import type {
  ClaimOutcome,
  ClaimRequest,
  DisableRule,
  Instance,
  InstanceBeat,
  LeaseName,
  QueuedDelivery,
  RescueOutcome,
  SendableWebhook,
  Settlement,
  SettleOutcome,
} from "@markethook/store";
import type { AcceptedSome } from "../../packages/store/src/hot/accept.ts";
import type { PreparedItem } from "../../packages/store/src/hot/accept-transaction.ts";
import type { LeaseBudgetLeft } from "../../packages/store/src/hot/fan-out.ts";

/** What the sending side needs of a database, each one transaction that happens at one moment. */
export interface Backend {
  accept(items: readonly PreparedItem[], budget: LeaseBudgetLeft | null): Promise<AcceptedSome>;
  claim(request: ClaimRequest): ClaimOutcome;
  claimProbes(instanceNo: number, limit: number, everyMs: number): QueuedDelivery[];
  settle(
    instanceNo: number,
    settlements: readonly Settlement[],
    rule: DisableRule,
  ): Promise<SettleOutcome>;
  markStarted(instanceNo: number, leases: readonly LeaseName[]): number[];
  rescue(silent: readonly InstanceBeat[]): RescueOutcome;
  releaseForgotten(instanceNo: number, held: readonly LeaseName[]): number;
  cancelMarked(limit: number): number;
  startInstance(
    name: string,
    version: string,
    survived: number | null,
  ): { instanceNo: number; givenBack: RescueOutcome | null };
  renewInstance(instanceNo: number, networkSuspected: boolean): boolean;
  endInstance(instanceNo: number): number;
  instances(): (InstanceBeat & Pick<Instance, "networkSuspected">)[];
  forSending(nos: readonly number[]): SendableWebhook[];

  addResource(resource: { id: string; ownerId: string }): void;
  /** Numbers count from 1 in this order. */
  addWebhook(webhook: SimulatedWebhook): void;

  /** Which delivery a message to a chat is of, as only the database knows. */
  deliveryOf(webhookNo: number, eventSeq: number): { seq: number; tag: string; attempts: number };
  /** For oracles: the instance under which a delivery is leased now. */
  holderOf(seq: number): number | null;
  /** Level of suspicion of a leased delivery. */
  suspicionOf(seq: number): number;
  /** Whether one with a lower number of the same webhook and buyer has not ended. */
  hasEarlierOpen(webhookNo: number, orderKey: number, seq: number): boolean;
  hasInstance(instanceNo: number): boolean;
  /** Since when a webhook has failed, as stored; null: its last answer was a good one. */
  failingSince(webhookNo: number): number | null;
  now(): number;
  countOpen(): number;
  countEvents(): number;
  ended(): EndedDelivery[];
  /** A standby as it is now. Promotes it when called. Null: this store has none. */
  copyToStandby: (() => () => LostCommits) | null;
  close(): void;
}

/** What a standby that is promoted does not have. */
export interface LostCommits {
  /** By their tags. */
  events: ReadonlySet<string>;
  /** Their holders still believe in them. */
  leases: readonly HeldLease[];
}

export interface HeldLease {
  instanceNo: number;
  seq: number;
  tag: string;
}

interface SimulatedWebhook {
  no: number;
  id: string;
  resourceId: string;
  ownerId: string;
  url: string;
  secret: string;
  /** Null: it has never failed. */
  failingSince: number | null;
  /** Null: it is signed, and no chat's. */
  chat: { options: string; target: string } | null;
}

interface EndedDelivery {
  seq: number;
  eventSeq: number;
  webhookNo: number;
  state: "delivered" | "dead" | "cancelled";
  attempts: number;
}
