import type { ReplayRange } from "@markethook/client";
import { useState } from "react";
import { Dialog } from "../shared/dialog.tsx";
import type { WebhookDialogProps } from "../webhooks/dialog-props.ts";
import { RangeFields } from "./range-fields.tsx";
import { ReplayProgress } from "./replay-progress.tsx";
import { rangeOf, type RangeChoice } from "./range.ts";
import { useReplay } from "./use-replay.ts";

const FIRST: RangeChoice = { span: "86400", states: ["dead"] };

/** Choose, count, send, in one dialog. */
export function ReplayDialog({ webhook, opened, onClose }: WebhookDialogProps) {
  const replay = useReplay(webhook.id);
  const [choice, setChoice] = useState(FIRST);
  // The range that was counted is the range that is sent: "the last day" does not move meanwhile.
  const [counted, setCounted] = useState<ReplayRange | null>(null);
  const found = replay.count.data;
  const close = (): void => {
    replay.stop();
    replay.reset();
    setCounted(null);
    onClose();
  };

  if (counted !== null && found !== undefined && !replay.run.isIdle) {
    const isRunning = replay.run.isPending;
    const isOver = replay.run.isSuccess;
    return (
      <Dialog
        title={isOver ? "Sent" : "Sending again"}
        opened={opened}
        onClose={isRunning ? replay.stop : close}
        closeLabel={isRunning ? "Stop" : "Done"}
        error={replay.wasStopped ? undefined : replay.run.error}
        {...(isRunning || isOver
          ? {}
          : { confirm: { label: "Go on", onClick: () => replay.run.mutate(counted) } })}
      >
        <ReplayProgress
          sent={replay.sent}
          of={found.count}
          capped={found.capped}
          result="on the way again"
          phase={isOver ? "over" : isRunning ? "running" : "stopped"}
        />
      </Dialog>
    );
  }
  const range = rangeOf(choice, Math.floor(Date.now() / 1000));
  const isCounted = counted !== null && found !== undefined;
  return (
    <Dialog
      title="Send many again"
      opened={opened}
      onClose={close}
      error={replay.count.error}
      confirm={
        isCounted && found.count > 0
          ? {
              label: `Send ${found.capped ? `more than ${found.count}` : found.count} again`,
              onClick: () => replay.run.mutate(counted),
            }
          : {
              label: "Count",
              busy: replay.count.isPending,
              off: range === null || isCounted,
              onClick: () => {
                if (range === null) return;
                replay.count.mutate(range, { onSuccess: () => setCounted(range) });
              },
            }
      }
    >
      <p>
        For example after an outage of your receiver. First they are counted; nothing is sent by
        that.
      </p>
      <RangeFields
        choice={choice}
        onChange={(next) => {
          setChoice(next);
          setCounted(null);
          replay.count.reset();
        }}
      />
      <p role="status">
        {isCounted
          ? found.count === 0
            ? "No delivery fits."
            : `${found.capped ? "More than " : ""}${found.count} ${found.count === 1 ? "delivery fits" : "deliveries fit"}. Each keeps its webhook-id, so a receiver that deduplicates ignores what it had.`
          : ""}
      </p>
    </Dialog>
  );
}
