import { LIMITS } from "@markethook/protocol";
import type { ImportRecord } from "@markethook/store";
import { Type } from "typebox";
import { actingStore } from "../auth/actor.ts";
import { mergeResults } from "../input/batch-results.ts";
import { isRejection, type Rejection } from "../input/event-input.ts";
import {
  countResults,
  findUrlFaults,
  rejectedResult,
  storedResult,
} from "../input/import-batch.ts";
import { toImportRecord } from "../input/import-input.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { ref } from "../schemas/fields.ts";
import { ImportBody, ImportResultView, LooseImportBody } from "../schemas/import.ts";
import { looserBody } from "../request/validation.ts";

export function importRoutes(app: ApiInstance, { deps }: RouteContext): void {
  app.post(
    "/import",
    {
      ...operation({
        id: "importRecords",
        summary: "Import up to 1,000 records of a marketplace that moves here",
        description:
          "Resources, webhooks with their secrets, file versions and first downloads. The answer has one result per record, in order; faulty records are rejected one by one. Nothing is sent because of it, and importing the same records again changes nothing.",
        tag: "import",
        scope: "admin",
        body: ImportBody,
        textPerItem: true,
        answers: { 200: Type.Object({ results: Type.Array(ref(ImportResultView)) }) },
        errors: [
          "batch_too_large",
          "resource_id_invalid",
          "resource_unknown",
          "user_id_not_integer",
          "url_invalid",
          "chat_unsupported",
          "target_blocked",
          "secret_invalid",
          "webhook_limit_reached",
          "import_conflict",
          "storage_full",
        ],
      }),
      bodyLimit: LIMITS.batchBytes,
      validatorCompiler: looserBody(LooseImportBody),
    },
    async (request) => {
      const startedAt = deps.nowMs();
      const { records: values, dryRun = false } = request.body;
      const context = { now: deps.nowSeconds(), randomBytes: deps.randomBytes };
      const checked = values.map((value) => toImportRecord(value, request.textSuspicious, context));
      const refused = await findUrlFaults(deps, checked.filter(isRecord));
      const judged = checked.map((one) => (isRecord(one) ? (refused.get(one) ?? one) : one));
      const { imports } = actingStore(deps, request);
      const stored = await imports.run(judged.filter(isRecord), { dryRun });
      const results = mergeResults(judged, stored, rejectedResult, (result, i) =>
        storedResult(result, i, dryRun),
      );
      deps.logger.info(
        {
          requestId: request.id,
          records: results.length,
          ...countResults(results),
          dryRun,
          ms: deps.nowMs() - startedAt,
        },
        "records imported",
      );
      return { results };
    },
  );
}

function isRecord(value: ImportRecord | Rejection): value is ImportRecord {
  return !isRejection(value);
}
