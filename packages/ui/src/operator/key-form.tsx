import { Button, PasswordInput } from "@mantine/core";
import { useState } from "react";
import { PageTitle } from "../shared/page-title.tsx";
import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";

export function KeyForm(props: { refused: boolean; onKey: (key: string) => void }) {
  const [key, setKey] = useState("");
  return (
    <>
      <PageTitle title="Operator" />
      <Panel
        title="API key"
        about="With the scope admin or operator:read. It stays in this page's memory and is gone after a reload."
      >
        <form
          className={`${stack["stack"]} ${stack["narrow"]}`}
          onSubmit={(event) => {
            event.preventDefault();
            if (key.trim() !== "") props.onKey(key.trim());
          }}
        >
          <PasswordInput
            aria-label="API key"
            placeholder="mh_…"
            autoComplete="off"
            visibilityToggleButtonProps={{ "aria-label": "Show the key" }}
            error={props.refused ? "This key is not accepted: it is unknown or was revoked." : null}
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <div>
            <Button type="submit">Open</Button>
          </div>
        </form>
      </Panel>
    </>
  );
}
