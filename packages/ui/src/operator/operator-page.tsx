import { Button, PasswordInput } from "@mantine/core";
import { useCallback, useState } from "react";
import { PageFrame } from "../app/page-frame.tsx";
import { createPageClient } from "../session/session.ts";
import { Overview } from "./overview.tsx";
import { words } from "../words/words.ts";
import { PageTitle } from "../shared/page.tsx";
import { Panel } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";

/** Behind an API key, which stays in this page's memory. */
export function OperatorPage() {
  const [key, setKey] = useState<string | null>(null);
  const [refused, setRefused] = useState(false);
  const refuse = useCallback(() => {
    setKey(null);
    setRefused(true);
  }, []);
  return (
    <PageFrame
      brand={words.operator.title}
      aside={
        key === null ? null : (
          <Button variant="default" size="xs" onClick={() => setKey(null)}>
            {words.operator.forgetKey}
          </Button>
        )
      }
    >
      {key === null ? (
        <KeyForm
          refused={refused}
          onKey={(next) => {
            setRefused(!CAN_BE_KEY.test(next));
            setKey(CAN_BE_KEY.test(next) ? next : null);
          }}
        />
      ) : (
        <Overview key={key} client={createPageClient(key, { onRefused: refuse })} />
      )}
    </PageFrame>
  );
}

/** The characters that a header can carry. With others no request could be made. */
const CAN_BE_KEY = /^[\x21-\x7e]+$/;

function KeyForm(props: { refused: boolean; onKey: (key: string) => void }) {
  const [key, setKey] = useState("");
  return (
    <>
      <PageTitle title={words.operator.title} />
      <Panel title={words.operator.apiKey} about={words.operator.apiKeyText}>
        <form
          className={`${stack["stack"]} ${stack["narrow"]}`}
          onSubmit={(event) => {
            event.preventDefault();
            if (key.trim() !== "") props.onKey(key.trim());
          }}
        >
          <PasswordInput
            aria-label={words.operator.apiKey}
            placeholder="mh_…"
            autoComplete="off"
            visibilityToggleButtonProps={{ "aria-label": words.operator.showKey }}
            error={props.refused ? words.operator.keyRefused : null}
            value={key}
            // As with a pasted URL: nobody sees them.
            onChange={(event) => setKey(event.currentTarget.value.replace(/\p{Cf}/gu, ""))}
          />
          <div>
            <Button type="submit">{words.operator.open}</Button>
          </div>
        </form>
      </Panel>
    </>
  );
}
