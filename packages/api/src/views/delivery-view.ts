import {
  given,
  HIDDEN_SIGNATURE,
  instant,
  isSignatureHeader,
  renderRequest,
  type SenderProfile,
} from "@markethook/protocol";
import type {
  AttemptDetail,
  AttemptRecord,
  DeliveryDetail,
  DeliveryPage,
  DeliverySummary,
  Failures,
} from "@markethook/store";
import type { FastifyRequest } from "fastify";
import type { PingResult, ShownRequest, ShownResponse } from "../app-deps.ts";
import { seesSignatures } from "../auth/actor.ts";
import { instantOrNull, withInstants } from "../request/instant.ts";
import { NEXT_REASONS } from "../schemas/delivery.ts";
import { storedJson } from "./event-view.ts";

export type Profiles = ReadonlyMap<number, SenderProfile>;

export function summaryView(delivery: DeliverySummary) {
  return {
    id: delivery.deliveryId,
    eventId: delivery.eventId,
    event: delivery.eventName,
    time: delivery.eventTime,
    webhookId: delivery.webhookId,
    resourceId: delivery.resourceId,
    userId: delivery.userId,
    state: delivery.state,
    reason: delivery.reason,
    origin: delivery.origin,
    attempts: delivery.attempts,
    lastOutcome: delivery.lastOutcome,
    lastStatus: delivery.lastStatus,
    details: delivery.details === null ? null : storedJson(delivery.details, null),
    version: delivery.version,
    dueAt: instantOrNull(delivery.dueAt),
    createdAt: instant(delivery.createdAt),
    endedAt: instantOrNull(delivery.endedAt),
  };
}

/** Present only in the answer to a search by text. */
export function searchedView(searched: DeliveryPage["searched"]) {
  if (searched === undefined) return {};
  return {
    searched: { deliveries: searched.deliveries, backTo: instantOrNull(searched.backTo) },
  };
}

export function failuresView(failures: Failures) {
  return { ...failures, groups: failures.groups.map(withInstants) };
}

interface Viewer {
  /** Of the marketplace, and not acting for an owner. */
  isOperator: boolean;
  seesSignatures: boolean;
}

export function detailView(delivery: DeliveryDetail, profiles: Profiles, viewer: Viewer) {
  return {
    ...summaryView(delivery),
    payload: storedJson(delivery.payload, delivery.payload),
    next: nextView(delivery),
    attemptList: delivery.attemptRecords.map((record) =>
      attemptView(delivery, record, profiles, viewer),
    ),
  };
}

export function profilesOf(delivery: DeliveryDetail): number[] {
  return delivery.attemptRecords.map((record) => parseDetail(delivery, record).profile);
}

function attemptView(
  delivery: DeliveryDetail,
  record: AttemptRecord,
  profiles: Profiles,
  viewer: Viewer,
) {
  const detail = parseDetail(delivery, record);
  const request = sentRequest(delivery, record.number, detail, profiles);
  return {
    number: record.number,
    at: instant(detail.at),
    outcome: record.outcome,
    status: record.status,
    sent: detail.sent ?? true,
    timings: detail.timings ?? null,
    request: request === null || viewer.seesSignatures ? request : withoutSignatures(request),
    response: receivedResponse(record, detail),
    ...given({
      certificate: detail.certificate,
      warnings: detail.chat?.warnings,
      fault: detail.chat?.fault,
    }),
    ...(detail.erased === undefined ? {} : { erased: true }),
    ...(viewer.isOperator && detail.operatorDetail !== undefined
      ? { operatorDetail: detail.operatorDetail }
      : {}),
  };
}

/** The request as it was sent: rebuilt by the function that the sender used. */
function sentRequest(
  delivery: DeliveryDetail,
  attempt: number,
  detail: AttemptDetail,
  profiles: Profiles,
): ShownRequest | null {
  if (detail.erased === true) return null;
  if (detail.chat !== undefined) {
    const { method, headers, body } = detail.chat;
    return { method, url: detail.url, headers, body };
  }
  const profile = profiles.get(detail.profile);
  if (profile === undefined || !URL.canParse(detail.url)) return null;
  const { method, url, headers, body } = renderRequest(profile, delivery, attempt, detail);
  return { method, url, headers, body };
}

function receivedResponse(record: AttemptRecord, detail: AttemptDetail): ShownResponse | null {
  if (record.status === null) return null;
  const { headers = [], body = null, bodyBase64, bodyTruncated } = detail;
  return given({ status: record.status, headers, body, bodyBase64, bodyTruncated });
}

function nextView(delivery: DeliveryDetail) {
  const code = nextCode(delivery);
  if (code === null) return null;
  const at = instantOrNull(delivery.askedUntil ?? delivery.dueAt);
  return { at, code, reason: NEXT_REASONS[code] };
}

function nextCode(delivery: DeliveryDetail): keyof typeof NEXT_REASONS | null {
  switch (delivery.state) {
    case "pending":
      if (delivery.askedUntil !== null) return "asked_to_wait";
      if (delivery.reason === "quarantined") return "quarantined";
      return delivery.attempts === 0 ? "untried" : "failed";
    case "waiting":
    case "leased":
    case "held":
      return delivery.state;
    default:
      return null;
  }
}

/** Of a damaged one only a time is known: without a profile, no request is shown. */
function parseDetail({ createdAt: at }: DeliveryDetail, record: AttemptRecord): AttemptDetail {
  // Our own sender wrote it; the store's port defines it.
  const detail = storedJson(record.detail, null) as AttemptDetail | null;
  const known = { at, ...detail };
  return (typeof known.at === "number" ? known : { at }) as AttemptDetail;
}

function withoutSignatures(shown: ShownRequest): ShownRequest {
  return {
    ...shown,
    headers: shown.headers.map(([name, value]) => [
      name,
      isSignatureHeader(name) ? HIDDEN_SIGNATURE : value,
    ]),
  };
}

/** A ping or sample as the sender of `request` may see it. */
export function pingView(request: FastifyRequest, ping: PingResult): PingResult {
  return seesSignatures(request) ? ping : { ...ping, request: withoutSignatures(ping.request) };
}
