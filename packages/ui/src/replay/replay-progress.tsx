import { Progress } from "@mantine/core";
import stack from "../shared/stack.module.css";

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
          aria-label="Progress"
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
  const all = `${capped ? "more than " : ""}${of.toLocaleString("en")}`;
  const some = done.toLocaleString("en");
  if (phase === "running") return `${some} of ${all} sent`;
  if (phase === "over") {
    return waiting === 0
      ? `${some} sent. The log says what became of each.`
      : `${some} sent. ${waiting.toLocaleString("en")} ${waiting === 1 ? "waits" : "wait"} for a later attempt.`;
  }
  const rest = Math.max(0, of - done);
  return othersWait
    ? `Stopped. ${some} were sent; ${capped ? "more than " : ""}${rest.toLocaleString("en")} wait as before.`
    : `Stopped. ${some} of ${all} were sent; what was begun is still sent.`;
}

function rateWords({ done, of, capped, perSecond }: ReplayProgressProps): string {
  if (perSecond === null || perSecond <= 0) return "";
  const rate = perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond).toLocaleString("en");
  const seconds = Math.ceil((of - done) / perSecond);
  if (capped || seconds < 5) return `${rate} per second`;
  const left = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `${rate} per second, about ${left} left`;
}
