import type { Attempt } from "@markethook/client";
import { HIDDEN, shownUrl } from "@markethook/protocol/shown-url";
import { useState } from "react";
import { useSeesSecrets } from "../secret/use-secret.ts";
import { useSession } from "../session/session-context.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { curlText } from "./curl-text.ts";
import classes from "./exchange-view.module.css";

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
    setRemark(
      (url === null ? "The address in it ends with its host: put in the rest. " : "") +
        "The signature is the one that was sent; a server that checks the time refuses it some minutes later.",
    );
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
      <CopyButton text={text} label="request as curl" short="Copy as curl" />
      {remark === "" ? null : (
        <p className={classes["none"]} role="status">
          {remark}
        </p>
      )}
    </>
  );
}
