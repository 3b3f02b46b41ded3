import { Progress } from "@mantine/core";
import stack from "../shared/stack.module.css";

interface ReplayProgressProps {
  sent: number;
  of: number;
  capped: boolean;
  phase: "running" | "stopped" | "over";
  /** Of the deliveries that were sent, at the end. */
  result: string;
}

export function ReplayProgress({ sent, of, capped, phase, result }: ReplayProgressProps) {
  const share = phase === "over" ? 100 : Math.min(99, (sent / Math.max(1, of)) * 100);
  return (
    <div className={stack["stack"]}>
      <Progress.Root size="md">
        <Progress.Section
          value={share}
          aria-label="Progress"
          animated={phase === "running" && share < 100}
        />
      </Progress.Root>
      <p role="status">
        {phase === "over"
          ? `${sent} ${sent === 1 ? "delivery is" : "deliveries are"} ${result}. Watch them in the log.`
          : `${sent} of ${capped ? "more than " : ""}${of}`}
        {phase === "stopped" ? ". Stopped; what was sent stays sent." : ""}
      </p>
    </div>
  );
}
