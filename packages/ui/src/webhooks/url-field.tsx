import type { UrlCheck } from "@markethook/client";
import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { formatWord, remarkWords } from "./webhook-words.ts";
import classes from "./url-field.module.css";
import { words } from "../words/words.ts";

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
        {isBlocked ? <p>{words.webhooks.ownMachine}</p> : null}
        {check?.remarks.map((remark) => (
          <p key={remark.code}>{remarkWords(remark)}</p>
        ))}
      </div>
    </div>
  );
}
