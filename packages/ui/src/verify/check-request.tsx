import { BusyButton } from "../shared/busy-button.tsx";
import type { Webhook } from "@markethook/client";
import { Radio, Group, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../session/session-context.ts";
import { ErrorNotice } from "../shared/error-notice.tsx";
import { eventTitle } from "../shared/event-words.ts";
import { Notice } from "../shared/notice.tsx";
import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";
import { readHeaders } from "./read-headers.ts";
import { UserText } from "../shared/user-text.tsx";

/** What a pasted request's signature says, and if it does not fit, why. */
export function CheckRequest({ webhook }: { webhook: Webhook }) {
  const { client, info } = useSession();
  const [headers, setHeaders] = useState("");
  const [body, setBody] = useState("");
  const [by, setBy] = useState<"webhook" | "secret">("webhook");
  const [secret, setSecret] = useState("");
  const check = useMutation({
    mutationFn: async () =>
      await client.checks.request({
        headers: readHeaders(headers),
        body,
        ...(by === "webhook" ? { webhookId: webhook.id } : { secret }),
      }),
  });
  const edited = (change: () => void): void => {
    change();
    check.reset();
  };
  return (
    <Panel
      title="Check a request"
      about="Paste what your server got. It says whether the signature fits, and if not, what most likely went wrong."
    >
      <form
        className={`${stack["stack"]} ${stack["narrow"]}`}
        onSubmit={(event) => {
          event.preventDefault();
          check.mutate();
        }}
      >
        <Textarea
          label="Headers"
          placeholder={`${info.headerNames.signature}: fd3dbe75…`}
          autosize={false}
          rows={4}
          spellCheck={false}
          required
          withAsterisk={false}
          value={headers}
          onChange={(event) => edited(() => setHeaders(event.currentTarget.value))}
        />
        <Textarea
          label="Body"
          description="Exactly as it came, without a changed blank or line break."
          rows={4}
          spellCheck={false}
          value={body}
          onChange={(event) => edited(() => setBody(event.currentTarget.value))}
        />
        <Radio.Group
          label="Secret"
          value={by}
          onChange={(choice) => edited(() => setBy(choice === "secret" ? choice : "webhook"))}
        >
          <Group gap="lg" mt="xs">
            <Radio value="webhook" label="This webhook's" />
            <Radio value="secret" label="The one in my server" />
          </Group>
        </Radio.Group>
        {by === "secret" ? (
          <TextInput
            aria-label="The secret in my server"
            description="It is checked and not stored."
            autoComplete="off"
            spellCheck={false}
            required
            maxLength={300}
            value={secret}
            onChange={(event) => edited(() => setSecret(event.currentTarget.value))}
          />
        ) : null}
        <div>
          <BusyButton type="submit" variant="default" busy={check.isPending}>
            Check
          </BusyButton>
        </div>
        <div role="status">
          {check.data === undefined ? null : check.data.valid ? (
            <Notice kind="good" title="The signature fits.">
              {check.data.event === undefined
                ? "The request is genuine."
                : `The request is genuine: ${eventTitle(check.data.event)}.`}
            </Notice>
          ) : (
            <Notice
              kind="warn"
              title={
                <UserText>{check.data.cause?.sentence ?? "The signature does not fit."}</UserText>
              }
            >
              {check.data.cause?.advice}
            </Notice>
          )}
        </div>
        <ErrorNotice error={check.error} />
      </form>
    </Panel>
  );
}
