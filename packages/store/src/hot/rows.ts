import type { PreviousFileVersion } from "@markethook/protocol";
import type { DisableRule, QueuedDelivery } from "../port/deliveries.ts";
import type { FanOutRow, ResourceRow } from "./accept-transaction.ts";
import { type HealthRow, type HealthRule, HEALTHY } from "./webhook-health.ts";
import { eventNameOf, originOf } from "./kinds.ts";
import type { Instance } from "../port/instances.ts";

/** Converts rows of either database into our types. */
type Row = Record<string, unknown>;

/** Of the columns id, owner_id, title, subtitle, file_version. */
export function resourceRow([
  id,
  ownerId,
  title,
  subtitle,
  version,
]: readonly unknown[]): ResourceRow {
  return {
    id: text(id),
    ownerId: text(ownerId),
    title: text(title),
    subtitle: text(subtitle),
    fileVersion: readVersion(id, version),
  };
}

/** An event of this resource cannot be accepted; the error names it. */
function readVersion(id: unknown, version: unknown): PreviousFileVersion | null {
  try {
    return version === null || version === undefined
      ? null
      : (JSON.parse(text(version)) as PreviousFileVersion); // We wrote it from a checked value.
  } catch {
    throw new TypeError(`the stored file version of the resource ${String(id)} is damaged`);
  }
}

/** Of the columns no, resource_id, owner_id, mask, state, cancel_before, and those of a plain webhook. */
export function fanOutRow([
  no,
  resourceId,
  ownerId,
  mask,
  state,
  cancelBefore,
  id,
  url,
  secret,
]: readonly unknown[]): FanOutRow {
  return {
    no: Number(no),
    resourceId: text(resourceId),
    ownerId: text(ownerId),
    mask: number(mask),
    active: state === "active" && number(cancelBefore) === null,
    plain: secret === null ? null : [no, id, resourceId, ownerId, url, secret],
  };
}

export function queuedDelivery(row: Row, probe: boolean): QueuedDelivery {
  return {
    seq: Number(row["seq"]),
    lease: Number(row["lease"]),
    eventSeq: Number(row["event_seq"]),
    tag: text(row["tag"]),
    webhookNo: Number(row["webhook_no"]),
    eventName: eventNameOf(Number(row["kind"])),
    eventTime: Number(row["time"]),
    payload: text(row["payload"]),
    orderKey: number(row["order_key"]),
    attempts: Number(row["attempts"]),
    step: Number(row["step"]),
    throttled: Number(row["throttled"]),
    suspicion: Number(row["suspicion"]),
    origin: originOf(Number(row["origin"])),
    early: Number(row["early"]) === 1,
    probe,
  };
}

export function healthRow(row: Row | undefined): HealthRow {
  if (row === undefined || number(row["failed_attempts"]) === null) return HEALTHY;
  return {
    failingSince: number(row["failing_since"]),
    failedAttempts: Number(row["failed_attempts"]),
    firstFailedEvent: number(row["first_failed_event"]),
    severalEvents: Number(row["several_events"]) === 1,
    badRequestKind: number(row["bad_request_kind"]),
    lastSuccessAt: number(row["last_success_at"]),
    lastFailureAt: number(row["last_failure_at"]),
    warnedAt: number(row["warned_at"]),
  };
}

/** `accepts_others` in the form of a webhook's health row. */
export function healthRule(rule: DisableRule, row: Row): HealthRule {
  const accepts = number(row["accepts_others"]);
  return { ...rule, acceptsOthers: accepts === null ? null : accepts === 1 };
}

export function number(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

export function nullableText(value: unknown): string | null {
  return value === null || value === undefined ? null : text(value);
}

export function text(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("expected a text in a stored row");
  return value;
}

const MOST = Number.MAX_SAFE_INTEGER;

/**
 * Our numbers stay far below 2^53. One above it, written by hand or by a fault of a disk, is read as the largest number
 * that JavaScript has exactly. So one such row makes no statement fail.
 */
export function safeNumber(value: string | bigint): number {
  const read = Number(value);
  return read > MOST ? MOST : read < -MOST ? -MOST : read;
}

/** Returns the key id of `s1.<key id>.…`; null if nothing is encrypted. */
export function keyIdIn(encrypted: unknown): string | null {
  return typeof encrypted === "string" ? (encrypted.split(".")[1] ?? null) : null;
}

export function instanceOf(row: Readonly<Record<string, unknown>>): Instance {
  return {
    instanceNo: Number(row["instance_no"]),
    name: String(row["name"]),
    version: String(row["version"]),
    startedAt: Number(row["started_at"]),
    renewedAt: Number(row["renewed_at"]),
    networkSuspected: row["network_suspected"] === 1,
  };
}
