import {
  renderBody,
  RenderedRequest,
  renderRequest,
  type RequestConstants,
  type RequestVariables,
  type SenderProfile,
  type SigningSecrets,
  signRequest,
} from "@markethook/protocol";

/** Signs and renders a request. */
export function signedRequest(
  profile: SenderProfile,
  constants: RequestConstants,
  attempt: number,
  /** `at`: Unix milliseconds. */
  { url, secrets, at, nonce }: { url: string; secrets: SigningSecrets; at: number; nonce: string },
): { request: RenderedRequest; variables: RequestVariables } {
  const timestamp = Math.floor(at / 1000);
  const body = renderBody({
    name: constants.eventName,
    time: constants.eventTime,
    nonce,
    payload: constants.payload,
  });
  const signatures = signRequest(secrets, constants.eventId, timestamp, body);
  const variables = { url, nonce, timestamp, ...signatures };
  return { request: renderRequest(profile, constants, attempt, variables, body), variables };
}

/** Returns the request with one more header, after all others. */
export function withHeader(request: RenderedRequest, name: string, value: string): RenderedRequest {
  const { url, head, body, method } = request;
  return new RenderedRequest(url, `${head.slice(0, -2)}${name}: ${value}\r\n\r\n`, body, method);
}
