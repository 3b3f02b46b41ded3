import classes from "./state-label.module.css";

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
