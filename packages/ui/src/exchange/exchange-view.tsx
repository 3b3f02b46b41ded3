import type { Attempt, PingResult } from "@markethook/client";
import { HIDDEN, shownUrl } from "@markethook/protocol/shown-url";
import { curlCommand } from "@markethook/protocol/curl";
import { headersText, replyWords, requestText } from "./exchange-text.ts";
import { BodyView } from "./body-view.tsx";
import { CodeBlock } from "../shared/code-block.tsx";
import { Facts } from "../shared/panels.tsx";
import { exactTime, UserText } from "../shared/inline-text.tsx";
import stack from "../shared/stack.module.css";
import classes from "./exchange-view.module.css";
import { words } from "../words/words.ts";
import { oneDecimal, whole } from "../words/numbers.ts";
import { HIDDEN_SIGNATURE, isSignatureHeader } from "@markethook/protocol/header-names";
import { useState } from "react";
import { useSeesSecrets } from "../secret/use-secret.ts";
import { useSession } from "../session/session.ts";
import { CopyButton } from "../shared/copy-button.tsx";

/** The request, exact but for the address, and the reply. */
export function ExchangeView(props: { exchange: Attempt | PingResult; webhookId: string }) {
  const { exchange, webhookId } = props;
  const { sent, timings, request, response } = exchange;
  return (
    <div className={classes["exchange"]}>
      {timings === null ? null : <TimingsBar timings={timings} />}
      <section className={classes["side"]} aria-label={words.exchange.request}>
        <h3>{words.exchange.request}</h3>
        {!sent ? (
          <>
            <p className={stack["quiet"]}>{words.exchange.notSent}</p>
            {exchange.certificate === undefined ? null : (
              <RefusedCertificate certificate={exchange.certificate} />
            )}
          </>
        ) : request === null ? (
          <p className={stack["quiet"]}>{words.exchange.notStored}</p>
        ) : (
          <>
            <div>
              <CopyCurl request={request} webhookId={webhookId} />
            </div>
            <CodeBlock
              title={words.exchange.headers}
              label={words.exchange.requestHeaders}
              text={requestText(request)}
            />
            <BodyView label={words.exchange.requestBody} body={request.body} />
            {request.url.endsWith(HIDDEN) && request.body.includes(request.url) ? (
              <p className={stack["quiet"]}>{words.exchange.shortAddress}</p>
            ) : null}
          </>
        )}
      </section>
      <section className={classes["side"]} aria-label={words.deliveries.reply}>
        <h3>{words.deliveries.reply}</h3>
        {response === null ? (
          <p className={stack["quiet"]}>{words.exchange.noReply}</p>
        ) : (
          <>
            <CodeBlock
              title={words.exchange.headers}
              label={words.exchange.replyHeaders}
              text={`${response.status}\n${headersText(response.headers)}`.trimEnd()}
            />
            {response.bodyBase64 === undefined ? (
              response.body === null || response.body === "" ? (
                <p className={stack["quiet"]}>{words.exchange.emptyBody}</p>
              ) : (
                <BodyView label={words.exchange.replyBody} body={response.body} />
              )
            ) : (
              <>
                <p className={stack["quiet"]}>{words.exchange.base64}</p>
                <CodeBlock
                  title={words.exchange.body}
                  label={words.exchange.replyBody}
                  text={response.bodyBase64}
                />
              </>
            )}
            {response.bodyTruncated === true ? (
              <p className={stack["quiet"]}>{words.exchange.truncated}</p>
            ) : null}
          </>
        )}
      </section>
    </div>
  );
}

/** Which certificate the server showed, and until when it is valid. */
function RefusedCertificate(props: { certificate: NonNullable<Attempt["certificate"]> }) {
  const { names, issuer, validFrom, validTo } = props.certificate;
  return (
    <Facts
      items={[
        [words.exchange.certificateFor, <UserText>{names}</UserText>],
        [words.exchange.issuedBy, <UserText>{issuer}</UserText>],
        [words.exchange.validFrom, exactTime(validFrom)],
        [words.exchange.validUntil, exactTime(validTo)],
      ]}
    />
  );
}

type Timings = NonNullable<Attempt["timings"]>;

/** Where the time went. A part that was not needed, such as TLS, is a dash. */
function TimingsBar({ timings }: { timings: Timings }) {
  const parts: readonly (readonly [string, number | null])[] = [
    [words.exchange.dns, timings.dnsMs],
    [words.exchange.connect, timings.connectMs],
    [words.exchange.tls, timings.tlsMs],
    [words.exchange.firstByte, timings.firstByteMs],
    [words.exchange.total, timings.totalMs],
  ];
  return (
    <dl className={classes["timings"]}>
      {parts.map(([name, ms]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{ms === null ? "–" : milliseconds(ms)}</dd>
        </div>
      ))}
    </dl>
  );
}

function milliseconds(ms: number): string {
  return `${ms < 10 ? oneDecimal(ms) : whole(ms)} ms`;
}

/** Copies the request as a command. The whole address is asked for only when that is pressed. */
function CopyCurl(props: { request: NonNullable<Attempt["request"]>; webhookId: string }) {
  const { request, webhookId } = props;
  const { client } = useSession();
  const seesSecrets = useSeesSecrets();
  const [remark, setRemark] = useState("");

  async function text(): Promise<string> {
    const url = await wholeUrl();
    const { addressMissing, signatureAge, signatureMissing } = words.exchange;
    const isHidden = request.headers.some(
      ([name = "", value]) => value === HIDDEN_SIGNATURE && isSignatureHeader(name),
    );
    const signature = isHidden ? signatureMissing : signatureAge;
    setRemark(url === null ? `${addressMissing} ${signature}` : signature);
    return curlCommand({ ...request, url: url ?? request.url });
  }

  /** Null: it is not known, or the webhook has another one by now. */
  async function wholeUrl(): Promise<string | null> {
    if (!request.url.endsWith(HIDDEN)) return request.url;
    if (!seesSecrets) return null;
    const url = await client.secrets.revealUrl(webhookId).catch(() => null);
    return url !== null && shownUrl(url) === request.url ? url : null;
  }

  return (
    <>
      <CopyButton text={text} label={words.exchange.asCurl} short={words.exchange.copyAsCurl} />
      {remark === "" ? null : (
        <p className={stack["quiet"]} role="status">
          {remark}
        </p>
      )}
    </>
  );
}

/** The words of a failed attempt's reply, next to their meaning. */
export function ReplyWords({ attempt }: { attempt: Pick<Attempt, "outcome" | "response"> }) {
  const text = attempt.outcome === "ok" ? null : replyWords(attempt);
  if (text === null) return null;
  return (
    <>
      <code>
        <UserText>{text}</UserText>
      </code>{" "}
    </>
  );
}
