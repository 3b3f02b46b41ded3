import { headerNames, signRequest, STANDARD_HEADERS } from "@markethook/protocol";
import type { Header } from "../options/option-values.ts";
import type { RecordedRequest } from "../recording.ts";
import type { TriggeredRequest } from "./send.ts";

/** They belong to the connection the request came over. */
const OF_CONNECTION = new Set(["host", "content-length", "connection", "transfer-encoding"]);

/** As it was recorded; only what belongs to the connection is made again. */
export function recordedRequest(request: RecordedRequest, url: string): TriggeredRequest {
  const kept = request.headers.filter(([name]) => !OF_CONNECTION.has(name.toLowerCase()));
  return {
    url,
    headers: [
      ["Host", new URL(url).host],
      ...kept,
      ["Content-Length", String(request.body.length)],
      ["Connection", "keep-alive"],
    ],
    body: request.body,
  };
}

/** The same body and ids, with signatures of these secrets and the time of now. */
export function resignedRequest(
  request: RecordedRequest,
  url: string,
  [current = "", next]: readonly string[],
  serviceName: string,
): TriggeredRequest {
  const names = headerNames(serviceName);
  const again = recordedRequest(request, url);
  const find = (wanted: string): string | undefined =>
    again.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const id = find(STANDARD_HEADERS.id) ?? "";
  const timestamp = Math.floor(Date.now() / 1000);
  const secrets = next === undefined ? { current } : { current, next };
  const signatures = signRequest(secrets, id, timestamp, request.body);
  const signed: (readonly [string, string | undefined])[] = [
    [names.signature, signatures.signature],
    [names.signatureNext, signatures.signatureNext],
    [STANDARD_HEADERS.timestamp, String(timestamp)],
    [STANDARD_HEADERS.signature, id === "" ? undefined : signatures.standard],
  ];
  const replaced = new Set(signed.map(([name]) => name.toLowerCase()));
  const isHeader = (pair: readonly [string, string | undefined]): pair is Header =>
    pair[1] !== undefined;
  return {
    ...again,
    headers: [
      ...again.headers.filter(([name]) => !replaced.has(name.toLowerCase())),
      ...signed.filter(isHeader),
    ],
  };
}
