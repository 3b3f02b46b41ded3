import { ApiError, UnreachableError } from "@markethook/client";
import type { Markethook } from "../markethook.ts";
import type { Report, SoldResource } from "../shop-data.ts";

export interface FakeMarkethook extends Markethook {
  /** In order of arrival, answered or not. */
  reports: Report[];
  told: SoldResource[];
  /** How the next reports end; stored when used up. */
  answers: ("stored" | "away" | "lost" | "refused" | "wrong key")[];
  away: boolean;
}

/** Stores, or fails as it is told to. The same key is stored once. */
export function createFakeMarkethook(): FakeMarkethook {
  const stored = new Set<string>();
  const fake: FakeMarkethook = {
    reports: [],
    told: [],
    answers: [],
    away: false,
    async report(report) {
      fake.reports.push(report);
      const answer = fake.away ? "away" : (fake.answers.shift() ?? "stored");
      if (answer === "away") throw away();
      if (answer === "refused") throw problem(422, "previous_unknown");
      if (answer === "wrong key") throw problem(401, "unauthenticated");
      const known = stored.has(report.key);
      stored.add(report.key);
      if (answer === "lost") throw away();
      return { eventId: `evt_${report.key}`, webhooks: known ? null : 1 };
    },
    async tell(resource) {
      if (fake.away) throw away();
      fake.told.push(resource);
    },
    async openWebhooksPage({ resourceId, path, returnUrl }) {
      if (fake.away) throw away();
      if (path?.startsWith("//") === true) throw problem(422, "portal_path_invalid");
      const about = encodeURIComponent(returnUrl);
      const place = path === null ? "" : `&path=${encodeURIComponent(path)}`;
      return `http://hooks.example:8080/portal/#code=${resourceId ?? "all"}&return=${about}${place}`;
    },
  };
  return fake;
}

function away(): UnreachableError {
  return new UnreachableError("http://hooks.example cannot be reached.", "refused", false);
}

function problem(
  status: number,
  code: "previous_unknown" | "unauthenticated" | "portal_path_invalid",
): ApiError {
  const problem = { type: code, title: "No.", status, code, detail: "Not so.", requestId: "req_1" };
  return new ApiError(problem, null);
}
