import type { UrlCheck } from "@markethook/client";
import { TextInput } from "@mantine/core";
import { LIMITS } from "@markethook/protocol/limits";
import { formatWord } from "./webhook-words.ts";
import classes from "./url-field.module.css";

interface UrlFieldProps {
  value: string;
  onChange: (url: string) => void;
  check: UrlCheck | null;
  checking: boolean;
  /** Of an attempt to save. */
  error: string | null;
  autoFocus?: boolean;
}

/** The receiver's URL, judged while it is typed. */
export function UrlField({ value, onChange, check, checking, error, autoFocus }: UrlFieldProps) {
  const fault = error ?? (check?.ok === false ? (check.faults[0]?.sentence ?? null) : null);
  const isBlocked = check?.faults.some(({ code }) => code === "target_blocked") === true;
  return (
    <div>
      <TextInput
        label="URL"
        description="Where requests go: your server's, or a chat platform's webhook URL."
        placeholder="https://bot.example/webhooks"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
        withAsterisk={false}
        maxLength={LIMITS.urlLength}
        value={value}
        error={fault}
        data-autofocus={autoFocus}
        // The one thing to do on this page.
        autoFocus={autoFocus ?? false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={classes["remarks"]} role="status">
        {checking ? <p>Checking…</p> : null}
        {check?.ok === true ? (
          <p>
            {check.label === null
              ? `Format: ${formatWord(check.format)}, for a server of yours.`
              : `${check.label} channel: messages are posted there, and you need no server.`}
          </p>
        ) : null}
        {isBlocked ? (
          <p>
            Is your server still on your own machine? Run <code>markethook receive</code> there to
            see requests and reply to them, and enter the public https address of a tunnel to its
            port.
          </p>
        ) : null}
        {check?.remarks.map((remark) => (
          <p key={remark}>{remark}</p>
        ))}
      </div>
    </div>
  );
}
