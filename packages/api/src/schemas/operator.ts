import { LIMITS } from "@markethook/protocol";
import { Type } from "typebox";
import { NoticeView } from "./administration.ts";
import { AuditView } from "./audit.ts";
import { Instant, InstantOrNull, nullable, ref, model } from "./fields.ts";

const count = Type.Integer();

export const OperatorView = model("OperatorOverview", {
  readAt: Instant,
  dueNow: Type.Integer({ description: "Due and not held; counted up to 100,000" }),
  oldestDueSeconds: Type.Number(),
  waiting: Type.Integer({ description: "Not ended and not leased, held ones included" }),
  leased: count,
  deliveriesPerSecond: Type.Number({ description: "Of this instance, over the last minute" }),
  attempts: Type.Array(Type.Object({ host: Type.String(), outcome: Type.String(), count }), {
    description: "Of this instance, over the last 15 minutes; the 20 busiest hosts",
  }),
  webhooks: Type.Object({ active: count, paused: count, disabled: count }),
  suspects: Type.Array(Type.Object({ level: count, count }), {
    description: `Deliveries that may have ended the process that sent them, by level; above ${LIMITS.suspectAloneFrom} they are quarantined`,
  }),
  disabledList: Type.Array(
    Type.Object({
      id: Type.String(),
      resourceId: Type.String(),
      ownerId: Type.String(),
      host: Type.String(),
      reason: nullable(Type.String()),
      failingSince: InstantOrNull,
      updatedAt: Instant,
    }),
    { description: "The 20 that were changed last" },
  ),
  failingList: Type.Array(
    Type.Object({
      id: Type.String(),
      resourceId: Type.String(),
      ownerId: Type.String(),
      host: Type.String(),
      failingSince: InstantOrNull,
      lastOutcome: nullable(Type.String()),
      lastStatus: nullable(Type.Integer({ description: "HTTP status, if there was an answer" })),
    }),
    { description: "Active webhooks: the 20 that began to fail last" },
  ),
  instances: Type.Array(
    Type.Object({
      name: Type.String(),
      version: Type.String(),
      startedAt: Instant,
      renewedAt: Instant,
      networkSuspected: Type.Boolean({
        description:
          "Whether most webhooks cannot be connected to from there. While another instance can, that one sends in its place",
      }),
    }),
  ),
  leaseMs: Type.Integer({
    description: "An instance that does not renew its row for this long is taken for dead",
  }),
  notices: Type.Array(ref(NoticeView), { description: "The last 20, newest first" }),
  changes: Type.Array(ref(AuditView), {
    description:
      "The last 20 that are not of portal sessions, among the last 100,000 of all; newest first",
  }),
  allowTargets: Type.Array(Type.String()),
  dryRun: Type.Boolean({ description: "Nothing is sent except to `allowTargets`" }),
  noticePosts: nullable(
    Type.Object(
      {
        host: Type.String(),
        unposted: count,
        oldestSeconds: count,
        failure: nullable(Type.String({ description: "Of this instance's last try" })),
      },
      { description: "To MARKETHOOK_NOTICES_URL; null: not set, or held" },
    ),
  ),
  storeKind: Type.String({ enum: ["sqlite", "postgres"] }),
  storeBytes: count,
  version: Type.String(),
  uptimeSeconds: count,
  masterKeys: Type.Array(
    Type.Object({
      id: Type.String({ description: "As in what it encrypted; tells nothing of the key" }),
      encrypts: Type.Boolean({ description: "New secrets are encrypted with it" }),
    }),
  ),
});
