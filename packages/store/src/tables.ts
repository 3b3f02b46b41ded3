import type { Generated } from "kysely";
import type { AuditHead, StoredAuditRow } from "./hot/audit-chain.ts";
import type { ReplyColumn } from "./hot/attempt-counts.ts";
import type { FieldColumns } from "./management/webhooks/webhook-fields.ts";

/** The tables as Kysely sees them, the same on both databases. Times are milliseconds since the epoch. */
export interface Tables {
  meta: { key: string; value: string };
  instances: {
    instance_no: number;
    name: string;
    version: string;
    started_at: number;
    renewed_at: number;
    network_suspected: Generated<number>;
    /** Ids of its master keys, separated by spaces; the first one encrypts. */
    key_ids: Generated<string | null>;
  };
  sender_profiles: { no: Generated<number>; service_name: string; user_agent: string };
  api_keys: {
    id: string;
    name: string;
    scopes: string;
    hash: string;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
    last_used_at: number | null;
    /** CIDRs, separated by spaces; empty: any. */
    addresses: Generated<string>;
  };
  portal_sessions: {
    id: string;
    owner_id: string;
    resource_id: string | null;
    return_url: string | null;
    /** Null once it was used. */
    code_hash: string | null;
    code_expires_at: number;
    token_hash: string | null;
    created_at: number;
    opened_at: number | null;
    expires_at: number;
    revoked_at: number | null;
    reveals_secrets: Generated<number>;
    /** Null, as is the next: it cannot be renewed. */
    lifetime_ms: number | null;
    renewable_until: number | null;
  };
  resources: {
    id: string;
    owner_id: string;
    title: string;
    subtitle: string;
    file_version: string | null;
    created_at: number;
    updated_at: number;
    deleted_at: number | null;
    /** Hash of the record that was imported last. */
    import_hash: string | null;
    /** The owner's time begins with the events above this number. */
    owned_above: Generated<number>;
  };
  /** Earlier owners of a resource, for the events above one number and up to another. */
  past_owners: { resource_id: string; owner_id: string; above: number; upto: number };
  webhooks: FieldColumns & {
    no: Generated<number>;
    id: string;
    resource_id: string;
    owner_id: string;
    /** Encrypted. */
    url: string;
    format: string;
    state: string;
    reason: string | null;
    secret: string;
    secret_is_text: number;
    next_secret: string | null;
    next_secret_until: number | null;
    cancel_before: number | null;
    cancel_reason: string | null;
    resume_after_cancel: Generated<number>;
    probe_at: number | null;
    paused_at: number | null;
    created_at: number;
    updated_at: number;
    deleted_at: number | null;
    /** Keyed hash of its import key; stays with the row after changes and deletion. */
    import_key: string | null;
    import_hash: string | null;
    /** The shown part of the `url`. */
    shown_url: string;
    /** Host name and port of the URL. */
    host: string;
    /** JSON text. */
    chat_options: string | null;
    /** Hex SHA-256 of the address: the same for all webhooks that share one, of all owners. */
    chat_target: string | null;
    /** Why its owner's template could not be used; null: it could, since the last change. */
    chat_fault: string | null;
  };
  /** The message of a sale, if a platform returned it. */
  chat_messages: { webhook_no: number; user_id: number; event_seq: number; message_id: string };
  confirmed_addresses: { host: string; address: string; confirmed_at: number };
  webhook_health: {
    webhook_no: number;
    failing_since: number | null;
    failed_attempts: number;
    first_failed_event: number | null;
    several_events: number;
    bad_request_kind: number | null;
    last_success_at: number | null;
    last_failure_at: number | null;
    warned_at: number | null;
  };
  /** `hour`: whole hours since the epoch. */
  attempt_counts: ReplyCounts & {
    /** 0: the sum of all webhooks. */
    webhook_no: number;
    hour: number;
    ok: number;
    failed: number;
    given_up: Generated<number>;
    last_at: number;
    last_outcome: string;
    last_status: number | null;
    /** Milliseconds; 0: nothing was accepted in this hour. */
    last_ok_at: Generated<number>;
    /** Bits by event name. */
    ok_events: Generated<number>;
  };
  /** Older hours, which `attempt_counts` has no more. */
  attempt_history: ReplyCounts & {
    webhook_no: number;
    hour: number;
    ok: number;
    failed: number;
    given_up: number;
  };
  /** When an event name was last accepted, of hours that `attempt_counts` has no more. */
  accepted_events: { webhook_no: number; kind: number; last_at: number };
  /** Deliveries that ended undelivered, by webhook and hour. `told`: a notice says so. */
  given_up: {
    webhook_no: number;
    hour: number;
    count: number;
    first_seq: number;
    last_seq: number;
    last_outcome: string | null;
    last_status: number | null;
    told: Generated<number>;
  };
  events: {
    seq: number;
    tag: string;
    resource_id: string;
    kind: number;
    time: number;
    user_id: number | null;
    payload: string;
    details: string | null;
    accepted_at: number;
    touched_at: number;
    /** When its user was erased. */
    erased_at: Generated<number | null>;
  };
  /** Generations of idempotency keys: inserts go to the newest, and each is deleted as a whole. */
  key_generations: { no: number; began_at: number };
  idempotency_keys: {
    generation: number;
    key: Uint8Array;
    /** Empty for an erased event. */
    body_hash: Uint8Array;
    event_seq: number;
    tag: string;
  };
  /** On SQLite only. */
  new_keys: { no: number; key: Uint8Array; body_hash: Uint8Array; event_seq: number; tag: string };
  first_downloads: { dedupe_key: string; event_seq: number; tag: string };
  /** `lease` is the number of the delivery's current lease. */
  leased: OpenDelivery & {
    instance_no: number;
    lease: Generated<number>;
    started: Generated<number>;
  };
  pending: OpenDelivery & {
    due_at: number;
    blocked: Generated<number>;
    /** Number of the last lease, 0 if there was none. */
    lease: Generated<number>;
    /** The instance whose end gave it its level. */
    suspected_in: Generated<number | null>;
    /** Until when the receiver asked to wait. */
    asked_until: Generated<number | null>;
  };
  /** One row: the last instance that ended without stopping. */
  unclean_end: {
    one: number;
    instance_no: number;
    at: number;
    before_at: number;
    healthy_at: number;
  };
  /** Webhooks whose waiting deliveries are being made due, and the position to continue from. */
  pulls: {
    webhook_no: number;
    /** 0: after a success that ended a run of failures. */
    by_person: number;
    began_at: number;
    /** Time of the next step. */
    next_at: number;
    after_due_at: number;
    after_seq: number;
  };
  ended: {
    seq: number;
    event_seq: number;
    webhook_no: number;
    kind: number;
    order_key: number | null;
    state: number;
    reason: string | null;
    attempts: number;
    outcome: string | null;
    status: number | null;
    origin: number;
    created_at: number;
    ended_at: number;
    first_attempt: string | null;
  };
  attempts: {
    delivery_seq: number;
    number: number;
    outcome: string;
    status: number | null;
    detail: string;
  };
  /** Rows are only added. */
  audit: StoredAuditRow;
  /** One row. */
  audit_head: AuditHead;
  notices: {
    no: Generated<number>;
    kind: string;
    owner_id: string;
    resource_id: string;
    webhook_id: string | null;
    detail: string;
    created_at: number;
  };
}

type ReplyCounts = Record<ReplyColumn, Generated<number>>;

interface OpenDelivery {
  seq: number;
  event_seq: number;
  webhook_no: number;
  kind: number;
  order_key: number | null;
  attempts: Generated<number>;
  step: Generated<number>;
  throttled: Generated<number>;
  /** Its level as a poison suspect. */
  suspicion: Generated<number>;
  origin: Generated<number>;
  created_at: number;
  /** Planned time of the next attempt, if an earlier one was requested. */
  planned_at: Generated<number | null>;
}
