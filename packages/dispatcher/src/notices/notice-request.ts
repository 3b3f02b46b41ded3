import {
  headerNames,
  instant,
  makeNonce,
  type RandomBytes,
  renderBody,
  RenderedRequest,
  type SenderProfile,
  signRequest,
  type SigningSecrets,
  STANDARD_HEADERS,
  WEBHOOK_VERSION,
} from "@markethook/protocol";
import type { Notice } from "@markethook/store";

/**
 * Makes the request of a notice. It is signed in both ways and has the envelope that receivers know, so the receiver
 * library verifies it. Its id is the same at every try; its nonce and time are not.
 */
export function noticeRequest(
  { serviceName, userAgent }: SenderProfile,
  notice: Notice,
  /** `at`: Unix milliseconds. */
  fresh: { url: string; secrets: SigningSecrets; at: number; randomBytes: RandomBytes },
): RenderedRequest {
  const body = renderBody({
    name: `notice.${notice.kind}`,
    time: Math.floor(notice.createdAt / 1000),
    nonce: makeNonce(fresh.randomBytes),
    payload: JSON.stringify({ ...notice, createdAt: instant(notice.createdAt) }),
  });
  const id = `notice_${notice.no}`;
  const timestamp = Math.floor(fresh.at / 1000);
  const { signature, standard } = signRequest(fresh.secrets, id, timestamp, body);
  const { host, pathname, search } = new URL(fresh.url);
  const names = headerNames(serviceName);
  const headers: [string, string | number][] = [
    ["Host", host],
    ["User-Agent", userAgent],
    ["Content-Type", "application/json"],
    ["Content-Length", Buffer.byteLength(body)],
    [names.version, WEBHOOK_VERSION],
    [names.signature, signature],
    [STANDARD_HEADERS.id, id],
    [STANDARD_HEADERS.timestamp, timestamp],
    ...(standard === undefined
      ? []
      : [[STANDARD_HEADERS.signature, standard] satisfies [string, string]]),
    ["Accept", "*/*"],
    ["Accept-Encoding", "identity"],
    ["Connection", "keep-alive"],
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`;
  return new RenderedRequest(fresh.url, head, body);
}
