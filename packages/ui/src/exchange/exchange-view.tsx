import type { Attempt, PingResult } from "@markethook/client";
import { HIDDEN } from "@markethook/protocol/shown-url";
import { headersText, requestText } from "./exchange-text.ts";
import { BodyView } from "./body-view.tsx";
import { CopyCurl } from "./copy-curl.tsx";
import { CodeBlock } from "../shared/code-block.tsx";
import { Facts } from "../shared/facts.tsx";
import { UserText, When } from "../shared/inline-text.tsx";
import classes from "./exchange-view.module.css";
import { words } from "../words/words.ts";
import { oneDecimal, whole } from "../words/numbers.ts";

/** What was sent, exactly but for the address, and what came back. */
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
            <p className={classes["none"]}>{words.exchange.notSent}</p>
            {exchange.certificate === undefined ? null : (
              <RefusedCertificate certificate={exchange.certificate} />
            )}
          </>
        ) : request === null ? (
          <p className={classes["none"]}>{words.exchange.notStored}</p>
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
              <p className={classes["none"]}>{words.exchange.shortAddress}</p>
            ) : null}
          </>
        )}
      </section>
      <section className={classes["side"]} aria-label={words.deliveries.reply}>
        <h3>{words.deliveries.reply}</h3>
        {response === null ? (
          <p className={classes["none"]}>{words.exchange.noReply}</p>
        ) : (
          <>
            <CodeBlock
              title={words.exchange.headers}
              label={words.exchange.replyHeaders}
              text={`${response.status}\n${headersText(response.headers)}`.trimEnd()}
            />
            {response.bodyBase64 === undefined ? (
              response.body === null || response.body === "" ? (
                <p className={classes["none"]}>{words.exchange.emptyBody}</p>
              ) : (
                <BodyView label={words.exchange.replyBody} body={response.body} />
              )
            ) : (
              <>
                <p className={classes["none"]}>{words.exchange.base64}</p>
                <CodeBlock
                  title={words.exchange.body}
                  label={words.exchange.replyBody}
                  text={response.bodyBase64}
                />
              </>
            )}
            {response.bodyTruncated === true ? (
              <p className={classes["none"]}>{words.exchange.truncated}</p>
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
        [words.exchange.certificateFor, <UserText key="names">{names}</UserText>],
        [words.exchange.issuedBy, <UserText key="issuer">{issuer}</UserText>],
        validFrom === ""
          ? null
          : [words.exchange.validFrom, <When key="from" at={validFrom} exact />],
        validTo === "" ? null : [words.exchange.validUntil, <When key="to" at={validTo} exact />],
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
