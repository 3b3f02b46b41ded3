import { BusyButton } from "../shared/buttons.tsx";
import type { Verification, Webhook } from "@markethook/client";
import { Radio, Group, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../session/session.ts";
import { eventTitle } from "../shared/code-words.ts";
import { ErrorNotice, Notice, Panel } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import { readHeaders } from "../exchange/exchange-text.ts";
import { words } from "../words/words.ts";
import { fromService } from "../words/rich.ts";

/** Why the signature does not fit. */
function Misfit({ cause }: { cause: Verification["cause"] }) {
  if (cause === undefined) return <Notice kind="warn" title={words.verify.fitsNot} />;
  const known = words.verify.causes[cause.code];
  const sentence = <bdi dir="auto">{fromService(cause.sentence)}</bdi>;
  return (
    <Notice kind="warn" title={known?.sentence ?? sentence}>
      {known === undefined ? fromService(cause.advice) : (known.advice ?? sentence)}
    </Notice>
  );
}

/** Whether a pasted request's signature fits, and if not, why. */
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
    <Panel title={words.verify.requestTitle} about={words.verify.requestText}>
      <form
        className={`${stack["stack"]} ${stack["narrow"]}`}
        onSubmit={(event) => {
          event.preventDefault();
          check.mutate();
        }}
      >
        <Textarea
          label={words.exchange.headers}
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
          label={words.exchange.body}
          description={words.verify.bodyText}
          rows={4}
          spellCheck={false}
          value={body}
          onChange={(event) => edited(() => setBody(event.currentTarget.value))}
        />
        <Radio.Group
          label={words.secret.secret}
          value={by}
          onChange={(choice) => edited(() => setBy(choice === "secret" ? choice : "webhook"))}
        >
          <Group gap="lg" mt="xs">
            <Radio value="webhook" label={words.verify.thisWebhooks} />
            <Radio value="secret" label={words.verify.inMyServer} />
          </Group>
        </Radio.Group>
        {by === "secret" ? (
          <TextInput
            aria-label={words.verify.secretInServer}
            description={words.verify.notStored}
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
            {words.verify.checkIt}
          </BusyButton>
        </div>
        <div role="status">
          {check.data === undefined ? null : check.data.valid ? (
            <Notice kind="good" title={words.verify.fits}>
              {check.data.event === undefined
                ? words.verify.genuine
                : words.verify.genuineEvent(eventTitle(check.data.event))}{" "}
              {webhook.standardSignature ? words.verify.timely : null}
            </Notice>
          ) : (
            <Misfit cause={check.data.cause} />
          )}
        </div>
        <ErrorNotice error={check.error} />
      </form>
    </Panel>
  );
}
