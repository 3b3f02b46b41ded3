import { allTexts, MarkethookError, shownUrl } from "@markethook/protocol";
import type { Webhook, WebhookStore } from "@markethook/store";
import { hostOf } from "@markethook/store/testing";
import type { FakeResources } from "./fake-resources.ts";

export interface FakeWebhooks extends WebhookStore {
  rows: Map<string, Webhook>;
  secrets: Map<string, { current: string; next: string | null }>;
  /** Where requests go, which is a secret. */
  addresses: Map<string, string>;
}

export function createFakeWebhooks(resources: FakeResources, now: () => number): FakeWebhooks {
  const rows = new Map<string, Webhook>();
  const secrets: FakeWebhooks["secrets"] = new Map();
  const addresses: FakeWebhooks["addresses"] = new Map();
  let no = 0;

  function get(id: string, ownerId: string | null): Webhook {
    const row = rows.get(id);
    if (row === undefined || (ownerId !== null && row.ownerId !== ownerId)) {
      throw new MarkethookError("not_found");
    }
    return row;
  }

  function secretsOf(id: string) {
    const pair = secrets.get(id);
    if (pair === undefined) throw new MarkethookError("not_found");
    return pair;
  }

  function requireOpen(webhook: Webhook): { current: string; next: string } {
    const { current, next } = secretsOf(webhook.id);
    if (next === null) throw new MarkethookError("rotation_not_open");
    return { current, next };
  }

  const fake: FakeWebhooks = {
    rows,
    secrets,
    addresses,
    async create(input, ownerId) {
      const resource = resources.rows.get(input.resourceId);
      if (resource === undefined || (ownerId !== null && resource.ownerId !== ownerId)) {
        throw new MarkethookError("resource_unknown");
      }
      no += 1;
      const row: Webhook = {
        no,
        id: input.id,
        resourceId: input.resourceId,
        ownerId: resource.ownerId,
        url: input.shownUrl ?? shownUrl(input.url),
        urlVersion: "1",
        host: hostOf(input.url),
        format: input.format,
        chat: input.chat ?? null,
        chatFault: null,
        events: input.events,
        ...allTexts(input),
        state: "active",
        disabledReason: null,
        secretIsImportedText: input.secret.length !== 48,
        rotation: null,
        dropping: false,
        failingSince: null,
        lastSuccessAt: null,
        lastFailureAt: null,
        givenUp: null,
        createdAt: now(),
        updatedAt: now(),
      };
      rows.set(row.id, row);
      secrets.set(row.id, { current: input.secret, next: null });
      addresses.set(row.id, input.url);
      return row;
    },
    async get(id, ownerId) {
      return get(id, ownerId);
    },
    async copy(id, ownerId, to) {
      const row = get(id, ownerId);
      const { url, format, chat, events } = row;
      const shown = chat === null ? {} : { shownUrl: url, chat };
      const address = { url: addresses.get(id) ?? url, format, ...shown };
      return await fake.create({ ...address, events, ...allTexts(row), ...to }, row.ownerId);
    },
    async list({ ownerId, resourceId, afterNo, limit }) {
      return [...rows.values()]
        .filter((row) => ownerId === null || row.ownerId === ownerId)
        .filter((row) => resourceId === undefined || row.resourceId === resourceId)
        .filter((row) => afterNo === undefined || row.no < afterNo)
        .sort((a, b) => b.no - a.no)
        .slice(0, limit);
    },
    async listDisabled(limit) {
      return [...rows.values()].filter((row) => row.state === "disabled").slice(0, limit);
    },
    async scopes(filters, limit) {
      return [...rows.values()]
        .filter((row) =>
          filters.some(
            ({ ownerId, resourceId, webhookId }) =>
              (ownerId ?? row.ownerId) === row.ownerId &&
              (resourceId ?? row.resourceId) === row.resourceId &&
              (webhookId ?? row.id) === row.id,
          ),
        )
        .slice(0, limit);
    },
    async change(id, ownerId, change) {
      const { url, shownUrl: shown, format, ...rest } = change;
      const row = Object.assign(get(id, ownerId), rest);
      if (url === undefined) return row;
      addresses.set(id, url);
      const isChat = format !== undefined && format !== "json";
      const chat = isChat ? (change.chat ?? row.chat) : null;
      return Object.assign(row, {
        url: shown ?? shownUrl(url),
        urlVersion: String(Number(row.urlVersion) + 1),
        host: hostOf(url),
        format: format ?? "json",
        chat,
      });
    },
    async delete(id, ownerId) {
      rows.delete(get(id, ownerId).id);
    },
    async pause(id, ownerId) {
      const row = get(id, ownerId);
      if (row.state === "disabled") throw new MarkethookError("webhook_not_active");
      return Object.assign(row, { state: "paused" });
    },
    async resume(id, ownerId, held) {
      const row = get(id, ownerId);
      if (row.disabledReason === "owner_changed") throw new MarkethookError("webhook_not_active");
      return Object.assign(row, { state: "active", dropping: held === "drop" });
    },
    async revealSecrets(id, ownerId) {
      return secretsOf(get(id, ownerId).id);
    },
    async revealUrl(id, ownerId) {
      return addresses.get(get(id, ownerId).id) ?? "";
    },
    async hasUrl({ ownerId, resourceId, url }) {
      return [...rows.values()].some(
        (row) =>
          row.resourceId === resourceId &&
          (ownerId === null || row.ownerId === ownerId) &&
          addresses.get(row.id) === url,
      );
    },
    async rotate(id, ownerId, rotation) {
      const row = get(id, ownerId);
      const { current, next } = secretsOf(id);
      if (rotation.mode === "switch_now") {
        secrets.set(id, { current: rotation.secret, next: null });
        return Object.assign(row, { rotation: null });
      }
      if (next !== null) throw new MarkethookError("rotation_open");
      secrets.set(id, { current, next: rotation.secret });
      const { overlapSeconds } = rotation;
      const until = overlapSeconds === null ? null : now() + overlapSeconds * 1000;
      return Object.assign(row, { rotation: { until } });
    },
    async switchSecret(id, ownerId) {
      const row = get(id, ownerId);
      secrets.set(id, { current: requireOpen(row).next, next: null });
      return Object.assign(row, { rotation: null });
    },
    async cancelRotation(id, ownerId) {
      const row = get(id, ownerId);
      secrets.set(id, { current: requireOpen(row).current, next: null });
      return Object.assign(row, { rotation: null });
    },
    async forSending() {
      return [];
    },
  };
  return fake;
}
