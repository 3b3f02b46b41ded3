import { Button } from "@mantine/core";
import { useState } from "react";
import type { RangeChoice } from "./range.ts";
import { ReplayDialog } from "./replay-dialog.tsx";

interface ReplayButtonProps {
  webhookId: string;
  /** What is chosen at first. */
  first: RangeChoice;
  children: string;
}

/** Opens the dialog that sends deliveries again. */
export function ReplayButton({ webhookId, first, children }: ReplayButtonProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {children}
      </Button>
      <ReplayDialog
        key={JSON.stringify(first)}
        webhookId={webhookId}
        opened={opened}
        onClose={() => setOpened(false)}
        first={first}
      />
    </>
  );
}
