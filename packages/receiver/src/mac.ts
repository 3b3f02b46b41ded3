/** An HMAC-SHA256 of `head`'s UTF-8 and the body behind it. */
export interface MacJob {
  key: MacKey;
  head: string;
  body: Uint8Array<ArrayBuffer>;
  as: "hex" | "base64";
}

/** The text's UTF-8, or what it is base64 of. */
export interface MacKey {
  text: string;
  encoding: "utf8" | "base64";
}

/**
 * A search that asks for each HMAC when it needs it, as a generator: Node's crypto gives it at once, Web Crypto only as
 * a promise. `runNow` and `runAwaiting` are the two ways to run the same steps.
 */
export type MacSteps<Result> = Generator<MacJob, Result, string>;

export function runNow<Result>(steps: MacSteps<Result>, mac: (job: MacJob) => string): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next(mac(step.value));
  return step.value;
}

export async function runAwaiting<Result>(
  steps: MacSteps<Result>,
  mac: (job: MacJob) => string | Promise<string>,
): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await mac(step.value));
  return step.value;
}
