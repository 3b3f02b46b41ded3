import { VisuallyHidden } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import classes from "./inline-text.module.css";
import stack from "./stack.module.css";
import { fullTime, relativeTime, timeInBothZones, timeToTheMinute, useNow } from "./times.ts";

/** Text from somebody else: isolated, so that marks of direction in it end with it. */
export function UserText({ children, className }: { children: string; className?: string }) {
  return (
    <bdi className={className} dir="auto">
      {children}
    </bdi>
  );
}

/** A field's label for screen readers alone, where a heading or another label shows it. Takes no room. */
export function unseenLabel(label: string) {
  return {
    label: <VisuallyHidden>{label}</VisuallyHidden>,
    labelProps: { className: stack["unseen"] ?? "" },
  };
}

interface WhenProps {
  at: string;
  exact?: boolean | "minute";
  /** It is still to come. */
  ahead?: boolean;
}

/** How long ago or ahead, or the time itself, to the second or to the minute. On hovering the exact time with its zone, and in UTC. */
export function When({ at, exact, ahead }: WhenProps) {
  const now = useNow();
  const time = Date.parse(at);
  const full = exact === "minute" ? timeToTheMinute(time) : fullTime(time);
  return (
    <time dateTime={at} title={exact === "minute" ? full : timeInBothZones(time)}>
      {exact === undefined || exact === false ? relativeTime(time, now, ahead) : full}
    </time>
  );
}

/** The time itself, in a list of facts; null where there is none. */
export function exactTime(at: string | null): ReactNode {
  return at === null || at === "" ? null : <When at={at} exact />;
}

export type Tone = "good" | "bad" | "busy" | "quiet";

/** A word with a dot: the colour only repeats what the word says. */
export function StateLabel({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes["label"]}>
      <span className={classes["dot"]} data-tone={tone} aria-hidden />
      {children}
    </span>
  );
}

/** How long it has been waiting by now. Not read out: it would be, every second. */
export function Seconds() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const begin = performance.now();
    const timer = setInterval(() => {
      setSeconds(Math.floor((performance.now() - begin) / 1000));
    }, 250);
    return () => clearInterval(timer);
  }, []);
  return <span aria-hidden>{seconds} s</span>;
}
