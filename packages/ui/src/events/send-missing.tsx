import { Button } from "@mantine/core";
import { useState } from "react";
import { ReplayDialog } from "../replay/replay-dialog.tsx";
import { words } from "../words/words.ts";

interface SendMissingProps {
  webhookId: string;
  /** Of the event that did not arrive. */
  acceptedAt: string;
}

/** The event never had a delivery to this webhook, and can have one: it, and what came after it. */
export function SendMissing({ webhookId, acceptedAt }: SendMissingProps) {
  const [opened, setOpened] = useState(false);
  const since = Math.floor(Date.parse(acceptedAt) / 1000);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {words.events.sendMissing}
      </Button>
      <ReplayDialog
        webhookId={webhookId}
        opened={opened}
        onClose={() => setOpened(false)}
        first={{ span: "since", since, states: ["dead"], missing: true }}
      />
    </>
  );
}
