import { useEffect, useEffectEvent, useState } from "react";
import { Button, Checkbox } from "@mantine/core";
import type { ReplayCount, ReplayRange } from "@markethook/client";
import { Dialog } from "../shared/dialog.tsx";
import { type RangeChoice, RangeFields, rangeOf } from "./range-fields.tsx";
import { ReplayProgress } from "./replay-progress.tsx";
import { words } from "../words/words.ts";
import { useIsChat } from "../api/resources-and-webhooks.ts";
import { useSession } from "../session/session.ts";
import { serviceNow } from "../shared/times.ts";
import { useSteps } from "./use-steps.ts";
import stack from "../shared/stack.module.css";

const FIRST: RangeChoice = { span: "86400", states: ["dead"], missing: false };

interface ReplayDialogProps {
  webhookId: string;
  opened: boolean;
  onClose: () => void;
  /** What is chosen at first. */
  first?: RangeChoice;
}

/** Choose, and send what fits. It is counted when the dialog opens, and after each change. */
export function ReplayDialog(props: ReplayDialogProps) {
  const { webhookId, opened, onClose, first = FIRST } = props;
  const isChat = useIsChat(webhookId);
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
    // Nobody sends anything because it was chosen the last time.
    setChoice(first);
    onClose();
  };

  const count = useEffectEvent(() => {
    const range = rangeOf(choice, Math.floor(serviceNow() / 1000));
    if (range !== null) replay.count.mutate(range, { onSuccess: () => setCounted(range) });
  });
  useEffect(() => {
    if (opened) count();
  }, [opened, choice]);

  const send = (range: ReplayRange): void =>
    replay.run.mutate(confirmed ? { ...range, confirm: true } : range);

  if (counted !== null && found !== undefined && !replay.run.isIdle) {
    const isRunning = replay.run.isPending;
    const isOver = replay.run.isSuccess;
    return (
      <Dialog
        title={isOver ? words.replay.sent : words.replay.sending(choice.missing)}
        opened={opened}
        onClose={isRunning ? replay.stop : close}
        closeLabel={isRunning ? words.early.stop : words.webhooks.done}
        error={replay.wasStopped ? undefined : replay.run.error}
        {...(isRunning || isOver
          ? {}
          : { confirm: { label: words.early.goOn, onClick: () => send(counted) } })}
      >
        <ReplayProgress
          steps={replay}
          of={sentOf(found, confirmed)}
          capped={found.capped}
          othersWait={false}
        />
      </Dialog>
    );
  }
  const isCounted = counted !== null && found !== undefined;
  const sent = isCounted ? sentOf(found, confirmed) : 0;
  // They would come after a later event about the same buyer.
  const late = isCounted ? (found.outOfOrder ?? 0) : 0;
  return (
    <Dialog
      title={choice.missing ? words.replay.sendMissing : words.replay.sendMany}
      opened={opened}
      onClose={close}
      error={replay.count.error}
      {...(isCounted && sent > 0
        ? {
            confirm: {
              label: words.replay.send(sent, found.capped, choice.missing),
              onClick: () => send(counted),
            },
          }
        : {})}
    >
      <RangeFields
        isChat={isChat}
        choice={choice}
        onChange={(next) => {
          setChoice(next);
          setCounted(null);
          setConfirmed(false);
          replay.count.reset();
        }}
      />
      <div className={stack["stack"]}>
        <p role="status">
          {replay.count.isPending
            ? words.early.counting
            : isCounted
              ? foundWords(found, choice, isChat)
              : ""}
        </p>
        {late === 0 ? null : (
          <Checkbox
            checked={confirmed}
            onChange={(event) => setConfirmed(event.currentTarget.checked)}
            label={words.replay.alsoLate(late)}
            description={words.replay.alsoLateText(isChat)}
          />
        )}
      </div>
    </Dialog>
  );
}

/** Sends a range of a webhook's deliveries again. */
function useReplay(webhookId: string) {
  const { client } = useSession();
  return useSteps<ReplayRange>({
    count: async (range) => await client.replay.count(webhookId, range),
    run: async (range, options) => await client.replay.run(webhookId, range, options),
    look: async () => await client.sendWaiting.count(webhookId),
  });
}

function foundWords({ count, capped }: ReplayCount, choice: RangeChoice, isChat: boolean): string {
  const { fit, arrivedLeftOut, repeated, neverSent, noneFits, nothingMissing } = words.replay;
  if (choice.missing) return count === 0 ? nothingMissing : neverSent(count, capped);
  if (count === 0) return noneFits;
  // Failed deliveries do not arrive twice. Delivered ones do, and the text says so.
  const more = choice.states.includes("delivered") ? repeated(isChat) : arrivedLeftOut;
  return `${fit(count, capped)} ${more}`;
}

/** How many are sent. */
function sentOf(found: ReplayCount, confirmed: boolean): number {
  return found.count + (confirmed ? (found.outOfOrder ?? 0) : 0);
}

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
