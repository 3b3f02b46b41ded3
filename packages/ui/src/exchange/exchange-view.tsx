import type { Attempt, PingResult } from "@markethook/client";
import { headersText, requestText } from "./wire-text.ts";
import { BodyView } from "./body-view.tsx";
import { CopyCurl } from "./copy-curl.tsx";
import { CodeBlock } from "../shared/code-block.tsx";
import { Facts } from "../shared/facts.tsx";
import { UserText } from "../shared/user-text.tsx";
import { When } from "../shared/when.tsx";
import classes from "./exchange-view.module.css";
import { HIDDEN } from "@markethook/protocol/shown-url";
import { TimingsBar } from "./timings-bar.tsx";

/** What was sent, exactly but for the address, and what came back. */
export function ExchangeView(props: { exchange: Attempt | PingResult; webhookId: string }) {
  const { exchange, webhookId } = props;
  const { sent, timings, request, response } = exchange;
  return (
    <div className={classes["exchange"]}>
      {timings === null ? null : <TimingsBar timings={timings} />}
      <section className={classes["side"]} aria-label="Request">
        <h3 className={classes["title"]}>Request</h3>
        {!sent ? (
          <>
            <p className={classes["none"]}>Not sent: nothing of it left our side.</p>
            {exchange.certificate === undefined ? null : (
              <RefusedCertificate certificate={exchange.certificate} />
            )}
          </>
        ) : request === null ? (
          <p className={classes["none"]}>It is no longer stored.</p>
        ) : (
          <>
            <div>
              <CopyCurl request={request} webhookId={webhookId} />
            </div>
            <CodeBlock title="Headers" label="request headers" text={requestText(request)} wrap />
            <BodyView label="request body" body={request.body} />
            {request.url.endsWith(HIDDEN) && request.body.includes(request.url) ? (
              <p className={classes["none"]}>
                Here the address ends with its host. What was sent had all of it, and was signed so.
              </p>
            ) : null}
          </>
        )}
      </section>
      <section className={classes["side"]} aria-label="Reply">
        <h3 className={classes["title"]}>Reply</h3>
        {response === null ? (
          <p className={classes["none"]}>None came back.</p>
        ) : (
          <>
            <CodeBlock
              title="Headers"
              label="reply headers"
              text={`${response.status}\n${headersText(response.headers)}`.trimEnd()}
              wrap
            />
            {response.bodyBase64 === undefined ? (
              response.body === null || response.body === "" ? (
                <p className={classes["none"]}>Its body was empty.</p>
              ) : (
                <BodyView label="reply body" body={response.body} />
              )
            ) : (
              <>
                <p className={classes["none"]}>Its body is no UTF-8 text; in base64:</p>
                <CodeBlock title="Body" label="reply body" text={response.bodyBase64} wrap />
              </>
            )}
            {response.bodyTruncated === true ? (
              <p className={classes["none"]}>Only the first 16 KiB are kept.</p>
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
        ["Certificate for", <UserText key="names">{names}</UserText>],
        ["Issued by", <UserText key="issuer">{issuer}</UserText>],
        validFrom === "" ? null : ["Valid from", <When key="from" at={validFrom} exact />],
        validTo === "" ? null : ["Valid until", <When key="to" at={validTo} exact />],
      ]}
    />
  );
}
