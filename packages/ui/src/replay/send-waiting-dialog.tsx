import { useEffect, useEffectEvent } from "react";
import { ReplayProgress } from "./replay-progress.tsx";
import { Dialog, type WebhookDialogProps } from "../shared/dialog.tsx";
import { useSendWaiting } from "./use-steps.ts";
import { words } from "../words/words.ts";

/** Counts the deliveries that wait for their next attempt, and sends them now. */
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
        title={isOver ? words.replay.sent : words.early.sendingNow}
        opened={opened}
        onClose={isRunning ? steps.stop : close}
        closeLabel={isRunning ? words.early.stop : words.webhooks.done}
        error={steps.wasStopped ? undefined : steps.run.error}
        {...(isRunning || isOver
          ? {}
          : { confirm: { label: words.early.goOn, onClick: () => steps.run.mutate(null) } })}
      >
        <ReplayProgress steps={steps} of={found.count} capped={found.capped} othersWait />
      </Dialog>
    );
  }

  return (
    <Dialog
      title={words.early.sendAll}
      opened={opened}
      onClose={close}
      error={steps.count.error}
      {...(found === undefined || found.count === 0
        ? { closeLabel: words.shared.close }
        : {
            confirm: {
              label: words.early.sendNow(found.count, found.capped),
              onClick: () => steps.run.mutate(null),
            },
          })}
    >
      <p>{words.early.sendAllText}</p>
      <p role="status">
        {found === undefined
          ? steps.count.isPending
            ? words.early.counting
            : ""
          : found.count === 0
            ? words.early.nothingWaits
            : words.early.wait(found.count, found.capped)}
      </p>
    </Dialog>
  );
}
