import { TextInput, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { useDebouncedValue } from "@mantine/hooks";
import type { UrlCheck } from "@markethook/client";
import { formatWord, remarkWords } from "./webhook-words.ts";
import classes from "./webhook-form.module.css";
import { words } from "../words/words.ts";
import { keys, useRead } from "../api/query-cache.ts";

interface UrlFieldProps {
  value: string;
  onChange: (url: string) => void;
  check: UrlCheck | null;
  checking: boolean;
  /** The service could not be asked. */
  isUnchecked: boolean;
  error: ReactNode;
  autoFocus?: boolean;
}

/** The URL of the owner's server, checked while it is typed. */
export function UrlField(props: UrlFieldProps) {
  const { value, onChange, check, checking, isUnchecked, error, autoFocus } = props;
  const isBlocked = check?.faults.some(({ code }) => code === "target_blocked") === true;
  return (
    <div>
      <TextInput
        label={words.webhooks.url}
        description={words.webhooks.urlText}
        placeholder="https://bot.example/webhooks"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
        withAsterisk={false}
        value={value}
        error={error}
        data-autofocus={autoFocus}
        // The one thing to do on this page.
        autoFocus={autoFocus ?? false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={classes["remarks"]} role="status">
        {checking ? <p>{words.webhooks.checking}</p> : null}
        {isUnchecked && !checking ? <p>{words.webhooks.unchecked}</p> : null}
        {check?.ok === true ? (
          <p>
            {check.label === null
              ? words.webhooks.isServer(formatWord(check.format))
              : words.webhooks.isChat(formatWord(check.format))}
          </p>
        ) : null}
        {/* The field shows the fault, but screen readers do not read it out there when it appears. */}
        {check?.ok === false ? <VisuallyHidden>{error}</VisuallyHidden> : null}
        {isBlocked ? <p>{words.webhooks.ownMachine}</p> : null}
        {check?.remarks.map((remark) => (
          <p key={remark.code}>{remarkWords(remark)}</p>
        ))}
      </div>
    </div>
  );
}

const TYPING_MS = 350;

/** The service's check of a URL while it is typed; nothing is saved or sent. `webhookId`: the webhook that gets the URL. */
export function useUrlCheck(url: string, resourceId: string | null, webhookId: string | null) {
  const [settled] = useDebouncedValue(url.trim(), TYPING_MS);
  const about = {
    ...(resourceId === null ? {} : { resourceId }),
    ...(webhookId === null ? {} : { webhookId }),
  };
  const query = useRead(
    keys.urlCheck(settled, resourceId, webhookId),
    (client, signal) => client.checks.url(settled, { signal, ...about }),
    { enabled: settled !== "", staleTime: 60_000 },
  );
  const current = settled === url.trim() && settled !== "";
  return {
    check: current ? (query.data ?? null) : null,
    checking: current && query.isFetching,
    /** Why there is no check. */
    error: current ? query.error : null,
  };
}
