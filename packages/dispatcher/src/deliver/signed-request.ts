import {
  makeNonce,
  type RandomBytes,
  renderBody,
  RenderedRequest,
  renderRequest,
  type RequestConstants,
  type RequestVariables,
  type SenderProfile,
  type SigningSecrets,
  signRequest,
} from "@markethook/protocol";

/** Makes a new request with a nonce, a time and signatures of this moment. */
export function signedRequest(
  profile: SenderProfile,
  constants: RequestConstants,
  attempt: number,
  /** `at`: Unix milliseconds. */
  fresh: { url: string; secrets: SigningSecrets; at: number; randomBytes: RandomBytes },
): { request: RenderedRequest; variables: RequestVariables } {
  const nonce = makeNonce(fresh.randomBytes);
  const timestamp = Math.floor(fresh.at / 1000);
  const body = renderBody({
    name: constants.eventName,
    time: constants.eventTime,
    nonce,
    payload: constants.payload,
  });
  const signatures = signRequest(fresh.secrets, constants.eventId, timestamp, body);
  const variables = { url: fresh.url, nonce, timestamp, ...signatures };
  return { request: renderRequest(profile, constants, attempt, variables, body), variables };
}

/** Returns the request with one more header, after all others. */
export function withHeader(request: RenderedRequest, name: string, value: string): RenderedRequest {
  const { url, head, body, method } = request;
  return new RenderedRequest(url, `${head.slice(0, -2)}${name}: ${value}\r\n\r\n`, body, method);
}
