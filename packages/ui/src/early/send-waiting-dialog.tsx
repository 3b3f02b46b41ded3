import { useEffect, useEffectEvent } from "react";
import { ReplayProgress } from "../replay/replay-progress.tsx";
import { Dialog } from "../shared/dialog.tsx";
import type { WebhookDialogProps } from "../webhooks/dialog-props.ts";
import { useSendWaiting } from "./use-send-waiting.ts";

/** Counts what waits for its next attempt, and sends it now. */
export function SendWaitingDialog({ webhook, opened, onClose }: WebhookDialogProps) {
  const steps = useSendWaiting(webhook.id);
  const count = useEffectEvent(() => steps.count.mutate(null));
  useEffect(() => {
    if (opened) count();
  }, [opened]);
  const close = (): void => {
    steps.stop();
    steps.reset();
    onClose();
  };
  const found = steps.count.data;

  if (found !== undefined && !steps.run.isIdle) {
    const isRunning = steps.run.isPending;
    const isOver = steps.run.isSuccess;
    return (
      <Dialog
        title={isOver ? "Sent" : "Sending now"}
        opened={opened}
        onClose={isRunning ? steps.stop : close}
        closeLabel={isRunning ? "Stop" : "Done"}
        error={steps.wasStopped ? undefined : steps.run.error}
        {...(isRunning || isOver
          ? {}
          : { confirm: { label: "Go on", onClick: () => steps.run.mutate(null) } })}
      >
        <ReplayProgress
          done={steps.done}
          of={found.count}
          capped={found.capped}
          perSecond={steps.perSecond}
          waiting={steps.waiting}
          othersWait
          phase={isOver ? "over" : isRunning ? "running" : "stopped"}
        />
      </Dialog>
    );
  }
  const many = found === undefined ? "" : `${found.capped ? "more than " : ""}${found.count}`;
  return (
    <Dialog
      title="Send all that waits"
      opened={opened}
      onClose={close}
      error={steps.count.error}
      {...(found === undefined || found.count === 0
        ? { closeLabel: "Close" }
        : { confirm: { label: `Send ${many} now`, onClick: () => steps.run.mutate(null) } })}
    >
      <p>
        For example when your server works again. Deliveries that failed are sent now instead of at
        their next attempt, in the order in which the events happened. Those that fail again wait as
        before.
      </p>
      <p role="status">
        {found === undefined
          ? steps.count.isPending
            ? "Counting…"
            : ""
          : found.count === 0
            ? "Nothing waits for a later attempt."
            : `${many} ${found.count === 1 ? "delivery waits" : "deliveries wait"}.`}
      </p>
    </Dialog>
  );
}
