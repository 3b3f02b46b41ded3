import type { Attempt } from "@markethook/client";
import { HIDDEN_SIGNATURE, isSignatureHeader } from "@markethook/protocol/header-names";
import { HIDDEN, shownUrl } from "@markethook/protocol/shown-url";
import { useState } from "react";
import { useSeesSecrets } from "../secret/use-secret.ts";
import { useSession } from "../session/session.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { curlText } from "./exchange-text.ts";
import classes from "./exchange-view.module.css";
import { words } from "../words/words.ts";

interface CopyCurlProps {
  request: NonNullable<Attempt["request"]>;
  webhookId: string;
}

/** Copies the request as a command. The whole address is asked for only when that is pressed. */
export function CopyCurl({ request, webhookId }: CopyCurlProps) {
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
    return curlText(request, url ?? request.url);
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
        <p className={classes["none"]} role="status">
          {remark}
        </p>
      )}
    </>
  );
}
