import type { ReplayRange } from "@markethook/client";
import { useEffect, useEffectEvent, useState } from "react";
import { Dialog } from "../shared/dialog.tsx";
import { FoundDeliveries, sentOf } from "./found-deliveries.tsx";
import { RangeFields } from "./range-fields.tsx";
import { ReplayProgress } from "./replay-progress.tsx";
import { rangeOf, type RangeChoice } from "./range.ts";
import { useReplay } from "./use-replay.ts";

const FIRST: RangeChoice = { span: "86400", states: ["dead"], missing: false };

interface ReplayDialogProps {
  webhookId: string;
  opened: boolean;
  onClose: () => void;
  /** What is chosen at first. */
  first?: RangeChoice;
  /** Counts it as soon as it is opened. */
  countFirst?: boolean;
}

/** Choose, count, send, in one dialog. */
export function ReplayDialog(props: ReplayDialogProps) {
  const { webhookId, opened, onClose, first = FIRST, countFirst = false } = props;
  const replay = useReplay(webhookId);
  const [choice, setChoice] = useState(first);
  const [confirmed, setConfirmed] = useState(false);
  // The range that was counted is the range that is sent: "the last day" does not move meanwhile.
  const [counted, setCounted] = useState<ReplayRange | null>(null);
  const found = replay.count.data;
  const close = (): void => {
    replay.stop();
    replay.reset();
    setCounted(null);
    setConfirmed(false);
    onClose();
  };

  const countRange = (range: ReplayRange | null): void => {
    if (range === null) return;
    replay.count.mutate(range, { onSuccess: () => setCounted(range) });
  };
  const open = useEffectEvent(() => countRange(rangeOf(first, nowSeconds())));
  useEffect(() => {
    if (opened && countFirst) open();
  }, [opened, countFirst]);

  const again = choice.missing ? "" : " again";
  const send = (range: ReplayRange): void =>
    replay.run.mutate(confirmed ? { ...range, confirm: true } : range);

  if (counted !== null && found !== undefined && !replay.run.isIdle) {
    const isRunning = replay.run.isPending;
    const isOver = replay.run.isSuccess;
    return (
      <Dialog
        title={isOver ? "Sent" : `Sending${again}`}
        opened={opened}
        onClose={isRunning ? replay.stop : close}
        closeLabel={isRunning ? "Stop" : "Done"}
        error={replay.wasStopped ? undefined : replay.run.error}
        {...(isRunning || isOver
          ? {}
          : { confirm: { label: "Go on", onClick: () => send(counted) } })}
      >
        <ReplayProgress
          done={replay.done}
          of={sentOf(found, confirmed)}
          capped={found.capped}
          perSecond={replay.perSecond}
          waiting={replay.waiting}
          othersWait={false}
          phase={isOver ? "over" : isRunning ? "running" : "stopped"}
        />
      </Dialog>
    );
  }
  const range = rangeOf(choice, nowSeconds());
  const isCounted = counted !== null && found !== undefined;
  const count = isCounted ? sentOf(found, confirmed) : 0;
  return (
    <Dialog
      title={choice.missing ? "Send what is missing" : "Send many again"}
      opened={opened}
      onClose={close}
      error={replay.count.error}
      confirm={
        isCounted && count > 0
          ? {
              label: `Send ${found.capped ? `more than ${count}` : count}${again}`,
              onClick: () => send(counted),
            }
          : {
              label: "Count",
              busy: replay.count.isPending,
              off: range === null || isCounted,
              onClick: () => countRange(range),
            }
      }
    >
      <p>First they are counted; nothing is sent by that.</p>
      <RangeFields
        choice={choice}
        onChange={(next) => {
          setChoice(next);
          setCounted(null);
          setConfirmed(false);
          replay.count.reset();
        }}
      />
      <FoundDeliveries
        found={isCounted ? found : undefined}
        missing={choice.missing}
        confirmed={confirmed}
        onConfirm={setConfirmed}
      />
    </Dialog>
  );
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
