import { Button, PasswordInput } from "@mantine/core";
import { useState } from "react";
import { PageTitle } from "../shared/page-title.tsx";
import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";
import { words } from "../words/words.ts";

export function KeyForm(props: { refused: boolean; onKey: (key: string) => void }) {
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
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <div>
            <Button type="submit">{words.operator.open}</Button>
          </div>
        </form>
      </Panel>
    </>
  );
}
