import { Progress } from "@mantine/core";
import stack from "../shared/stack.module.css";
import { words } from "../words/words.ts";
import { oneDecimal } from "../words/numbers.ts";
import { whole } from "../words/numbers.ts";

interface ReplayProgressProps {
  done: number;
  of: number;
  capped: boolean;
  phase: "running" | "stopped" | "over";
  /** Null while it is not known. */
  perSecond: number | null;
  /** At the end: how many wait for a later attempt. */
  waiting?: number | undefined;
  /** After a stop the others are as they were. */
  othersWait: boolean;
}

/** A bar to 100 %, how many, how fast, and how long it takes still. */
export function ReplayProgress(props: ReplayProgressProps) {
  const { done, of, phase } = props;
  const share = phase === "over" ? 100 : Math.min(99, (done / Math.max(1, of)) * 100);
  return (
    <div className={stack["stack"]}>
      <Progress.Root size="md">
        <Progress.Section
          value={share}
          aria-label={words.replay.progress}
          animated={phase === "running" && share < 100}
        />
      </Progress.Root>
      <div className={stack["spread"]}>
        {/* What changes every second is not read out. */}
        {phase === "running" ? <p>{wordsOf(props)}</p> : null}
        <p role="status">{phase === "running" ? "" : wordsOf(props)}</p>
        {phase === "running" ? <span className={stack["dimmed"]}>{rateWords(props)}</span> : null}
      </div>
    </div>
  );
}

function wordsOf({
  done,
  of,
  capped,
  phase,
  waiting = 0,
  othersWait,
}: ReplayProgressProps): string {
  if (phase === "running") return words.replay.someSent(done, of, capped);
  if (phase === "over") return words.replay.over(done, waiting);
  return othersWait
    ? words.replay.stoppedOthersWait(done, Math.max(0, of - done), capped)
    : words.replay.stopped(done, of, capped);
}

function rateWords({ done, of, capped, perSecond }: ReplayProgressProps): string {
  if (perSecond === null || perSecond <= 0) return "";
  const rate = perSecond < 10 ? oneDecimal(perSecond) : whole(perSecond);
  const seconds = Math.ceil((of - done) / perSecond);
  if (capped || seconds < 5) return words.replay.rate(rate);
  const left = seconds < 120 ? `${whole(seconds)} s` : `${whole(seconds / 60)} min`;
  return words.replay.rateAndLeft(rate, left);
}
