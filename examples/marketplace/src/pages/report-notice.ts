import { html, type Html } from "../html.ts";
import type { Report } from "../shop-data.ts";

/** After an action: what Markethook was told of it. */
export function reportNotice(report: Report, problem: string | null): Html {
  return html`<div class="notice ${report.state}" role="status">
    <p><strong>${headline(report)}</strong></p>
    <p>${explanation(report, problem)}</p>
  </div>`;
}

/** In one line, for the list of reports. */
export function headline({ state, event }: Report): Html {
  const name = html`<code>${event.event}</code>`;
  if (state === "sent") return html`Reported to Markethook: ${name}`;
  if (state === "parked") return html`Markethook refused ${name}`;
  return html`Will be reported to Markethook: ${name}`;
}

export function explanation(report: Report, problem: string | null): Html {
  const key = html`<code>${report.key}</code>`;
  if (report.state === "sent") {
    return html`Event <code>${report.eventId}</code>, ${toWebhooks(report.webhooks)}. Idempotency
      key: ${key}`;
  }
  if (report.state === "parked") return html`${report.problem ?? ""} Idempotency key: ${key}`;
  const why = problem === null ? null : html`${problem} `;
  return html`${why}It is kept, and tried again every few seconds with the same idempotency key
  ${key}; reload to see.`;
}

function toWebhooks(count: number | null): string {
  if (count === null) return "stored by an earlier try";
  if (count === 0) return "to no webhook, as none chose it";
  return `to ${count} ${count === 1 ? "webhook" : "webhooks"}`;
}
