import type { Verified, VerifyFailure } from "@markethook/receiver";
import type { Output } from "../output/output.ts";
import { headerLine, indented, prettyBody } from "../output/exchange-parts.ts";
import { refusalSentence } from "../verify/verdict-text.ts";
import { visible } from "../output/visible-text.ts";
import type { Arrival } from "./receiver.ts";

/** For `--json`: a line per request. */
export function arrivalValue(arrival: Arrival, verbose: boolean): object {
  const { number, request, verdict, repeats, status } = arrival;
  return {
    number,
    receivedAt: new Date(request.receivedAt).toISOString(),
    method: request.method,
    url: request.url,
    verified: verdict === null ? null : verdict.ok,
    ...(verdict === null ? {} : verdict.ok ? about(verdict) : whyNot(verdict)),
    repeats,
    status,
    ...(verbose ? { headers: request.headers, body: request.body.toString() } : {}),
  };
}

function about(verdict: Verified): object {
  const { id, deliveryId, webhookId, resourceId, attempt } = verdict;
  const { event, payload } = verdict.kind === "event" ? verdict.event : verdict.envelope;
  return { event, payload, id, deliveryId, webhookId, resourceId, attempt };
}

function whyNot({ code, sentence, causes }: VerifyFailure): object {
  return { code, sentence, causes };
}

/** For people: one line, one more for each remark, and headers and body where wanted. */
export function arrivalText(arrival: Arrival, out: Output, verbose: boolean): string {
  const { request, verdict, repeats, status } = arrival;
  const time = out.style("dim", new Date(request.receivedAt).toTimeString().slice(0, 8));
  const answered = `→ ${out.style(status < 300 ? "green" : "yellow", String(status))}`;
  const lines = [`${time} ${headline(arrival, out)} ${answered}`];
  if (verdict?.ok === false) {
    lines.push(`         ${refusalSentence(verdict)}`);
    const [likeliest] = verdict.causes;
    if (likeliest)
      lines.push(`         Likely cause: ${visible(likeliest.sentence)} [${likeliest.code}]`);
  }
  if (repeats !== null) {
    lines.push(
      `         A repeat of request ${repeats}: same webhook-id, so do not act on it twice.`,
    );
  }
  if (verbose) {
    lines.push(`  ${visible(`${request.method} ${request.url}`)}`);
    for (const header of request.headers) lines.push(`  ${headerLine(header, out)}`);
    lines.push("", indented(prettyBody(request.body)), "");
  }
  return lines.join("\n");
}

function headline({ request, verdict }: Arrival, out: Output): string {
  if (verdict === null) {
    return `${out.style("yellow", "unverified")} ${visible(`${request.method} ${request.url}`)}, ${request.body.length} bytes`;
  }
  if (!verdict.ok) return `${out.style("red", "not verified")} [${verdict.code}]`;
  const parts = [
    verdict.kind === "event" ? verdict.event.event : `${visible(verdict.name)} (unknown event)`,
    ...(verdict.kind === "event" ? subject(verdict.event.payload) : []),
    `attempt ${verdict.attempt ?? "?"}`,
    visible(verdict.id ?? "no webhook-id"),
  ];
  return `${out.style("green", "verified")} ${parts.join(" · ")}`;
}

function subject(payload: {
  product: { id: string; title: string };
  user?: { id: number };
}): string[] {
  const { product, user } = payload;
  const title = product.title === "" ? "" : ` “${visible(product.title)}”`;
  return [`${visible(product.id)}${title}`, ...(user === undefined ? [] : [`user ${user.id}`])];
}
