import { Progress } from "@mantine/core";
import stack from "../shared/stack.module.css";
import { words } from "../words/words.ts";
import { oneDecimal, whole } from "../words/numbers.ts";
import type { StepsControl } from "./use-steps.ts";

interface ReplayProgressProps {
  steps: StepsControl;
  of: number;
  capped: boolean;
  /** Whether the deliveries that the owner's stop leaves over wait for their planned time as before. */
  othersWait: boolean;
}

/** A bar to 100 %, the number sent, the rate, and the time that is left. */
export function ReplayProgress(props: ReplayProgressProps) {
  const { of, steps } = props;
  const { isPending, isSuccess } = steps.run;
  const share = isSuccess ? 100 : Math.min(99, (steps.done / Math.max(1, of)) * 100);
  return (
    <div className={stack["stack"]}>
      <Progress.Root size="md">
        <Progress.Section value={share} aria-label={words.replay.progress} animated={isPending} />
      </Progress.Root>
      <div className={stack["spread"]}>
        {/* What changes every second is not read out. */}
        {isPending ? <p>{wordsOf(props)}</p> : null}
        <p role="status">{isPending ? "" : wordsOf(props)}</p>
        {isPending ? <span className={stack["dimmed"]}>{rateWords(props)}</span> : null}
      </div>
    </div>
  );
}

function wordsOf({ steps, of, capped, othersWait }: ReplayProgressProps): string {
  const { run, done, waiting = 0 } = steps;
  if (run.isPending) return words.replay.someSent(done, of, capped);
  if (run.isSuccess) return words.replay.over(done, waiting);
  // Unless the owner stopped it, nothing was taken back, and due deliveries are sent even if this page cannot see it.
  return othersWait && steps.wasStopped
    ? words.replay.stoppedOthersWait(done, Math.max(0, of - done), capped)
    : words.replay.stopped(done, of, capped);
}

function rateWords({ steps: { done, perSecond }, of, capped }: ReplayProgressProps): string {
  if (perSecond === null || perSecond <= 0) return "";
  const rate = perSecond < 10 ? oneDecimal(perSecond) : whole(perSecond);
  const seconds = Math.ceil((of - done) / perSecond);
  if (capped || seconds < 5) return words.replay.rate(rate);
  const left = seconds < 120 ? `${whole(seconds)} s` : `${whole(seconds / 60)} min`;
  return words.replay.rateAndLeft(rate, left);
}
