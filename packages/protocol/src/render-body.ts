/**
 * The exact text posted: `{event,time,nonce,payload}`, compact. `payload` is the JSON text made when the
 * event was accepted; it is spliced in, never parsed and re-serialized, so retries carry the same bytes.
 */
export function renderBody(event: {
  name: string;
  /** Unix seconds. */
  time: number;
  nonce: string;
  payload: string;
}): string {
  return `{"event":${JSON.stringify(event.name)},"time":${event.time},"nonce":"${event.nonce}","payload":${event.payload}}`;
}
