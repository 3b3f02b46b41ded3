import { Button } from "@mantine/core";
import { useCallback, useState } from "react";
import { PageFrame } from "../app/page-frame.tsx";
import { createPageClient } from "../session/session.ts";
import { KeyForm } from "./key-form.tsx";
import { Overview } from "./overview.tsx";
import { words } from "../words/words.ts";

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
            setRefused(false);
            setKey(next);
          }}
        />
      ) : (
        <Overview key={key} client={createPageClient(key, { onRefused: refuse })} />
      )}
    </PageFrame>
  );
}
