import {
  headerNames,
  instant,
  makeNonce,
  plainRequest,
  type RandomBytes,
  renderBody,
  type RenderedRequest,
  type SenderProfile,
  type SigningSecrets,
  signRequest,
  STANDARD_HEADERS,
  WEBHOOK_VERSION,
} from "@markethook/protocol";
import type { Notice, Store } from "@markethook/store";
import { type AttemptOutcome, judgeAnswer } from "../deliver/judge-answer.ts";
import { repeat } from "../lease/repeat.ts";
import type { Sender } from "../send/sender.ts";

export interface NoticeFailure {
  no: number;
  outcome: AttemptOutcome;
  status: number | null;
  /** Failed tries in a row. */
  tries: number;
}

export interface NoticePosterOptions {
  store: Pick<Store, "notices" | "noticePosts">;
  sender: Pick<Sender, "send">;
  url: string;
  secret: string;
  profile: SenderProfile;
  /** Different from every other instance's. */
  holder: string;
  wallNow: () => number;
  random: () => number;
  randomBytes: RandomBytes;
  failed(failure: NoticeFailure): void;
  /** The sender's limit of a post. */
  attemptTimeoutMs: number;
  /** Called when a query of the database failed. */
  fault(error: unknown): void;
  /** Time between two checks when there was nothing to do. */
  pollMs?: number;
  /** Wait after the first failure. */
  backoffMs?: number;
}

/** Time to store that a notice was taken. */
const MARGIN_MS = 5000;
const BATCH = 20;
const LONGEST_BACKOFF_MS = 300_000;

/**
 * Posts notices to the marketplace, one after the other, each until it was answered with 2xx.
 *
 * waiting --another instance has the right--> waiting
 *         --nothing new--> waiting
 *         --a notice--> posting --2xx--> the number moves on, the next one
 *                               --another answer--> waiting, twice as long each time, with the right
 *                               --no answer--> the same, and the right may end meanwhile
 */
export function createNoticePoster(options: NoticePosterOptions) {
  const { store, sender, url, profile, holder, wallNow, randomBytes } = options;
  const { pollMs = 1000, backoffMs = 1000 } = options;
  // It is renewed when half of it is over. The other half is enough for a post.
  const rightMs = 2 * (options.attemptTimeoutMs + MARGIN_MS);
  const secrets = { current: options.secret };
  let last: NoticeFailure | null = null;
  /** The rest of the wait after a failure. */
  let waitMs = 0;
  let stopped = false;
  let end = async (): Promise<void> => undefined;

  async function post(notice: Notice): Promise<boolean> {
    const request = noticeRequest(profile, notice, { url, secrets, at: wallNow(), randomBytes });
    const result = await sender.send(request, () => !stopped);
    const { outcome, next } = judgeAnswer(result);
    if (next === "delivered") {
      last = null;
      return true;
    }
    if (stopped) return false;
    const tries = last?.no === notice.no ? last.tries + 1 : 1;
    last = { no: notice.no, outcome, status: result.status, tries };
    options.failed(last);
    return false;
  }

  /** Returns how long to wait before the next turn. */
  async function turn(): Promise<number> {
    const after = await store.noticePosts.take(holder, rightMs);
    if (after === null) {
      last = null;
      waitMs = 0;
      return pollMs;
    }
    if (waitMs > 0) return rest();
    const notices = await store.notices.list(after, BATCH, null);
    for (const notice of notices) {
      if (stopped) return 0;
      if (!(await post(notice))) {
        const ms = backoff();
        // Another instance may reach the marketplace, if this one does not.
        if (last?.status === null) return ms;
        waitMs = ms;
        // The next turn renews the right.
        return 0;
      }
      if (!(await store.noticePosts.advance(holder, notice.no, rightMs))) return pollMs;
    }
    return notices.length === 0 ? pollMs : 0;
  }

  /** In parts, so that the right is renewed meanwhile: another instance would begin with the shortest wait again. */
  function rest(): number {
    const ms = Math.min(waitMs, rightMs / 4);
    waitMs -= ms;
    return ms;
  }

  function backoff(): number {
    const tries = last?.tries ?? 1;
    const wait = Math.min(backoffMs * 2 ** (tries - 1), LONGEST_BACKOFF_MS);
    return wait * (0.8 + 0.4 * options.random());
  }

  async function run(): Promise<number> {
    return await turn().catch((error: unknown) => {
      options.fault(error);
      return pollMs * 5;
    });
  }

  return {
    start: () => void (end = repeat(0, run)),
    async stop(): Promise<void> {
      stopped = true;
      await end();
      await store.noticePosts.release(holder).catch(options.fault);
    },
    /** Result of this instance's last try. Null: it worked, or there was none. */
    failure: (): NoticeFailure | null => last,
  };
}

/**
 * Makes the request of a notice. It is signed in both ways and has the envelope that receivers know, so the receiver
 * library verifies it. Its id is the same at every try; its nonce and time are not.
 */
function noticeRequest(
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
  const names = headerNames(serviceName);
  const headers = {
    "User-Agent": userAgent,
    "Content-Type": "application/json",
    [names.version]: WEBHOOK_VERSION,
    [names.signature]: signature,
    [STANDARD_HEADERS.id]: id,
    [STANDARD_HEADERS.timestamp]: String(timestamp),
    ...(standard === undefined ? {} : { [STANDARD_HEADERS.signature]: standard }),
    Accept: "*/*",
  };
  return plainRequest({ method: "POST", url: fresh.url, headers: Object.entries(headers), body });
}
