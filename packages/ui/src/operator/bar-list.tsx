import { Stack } from "@mantine/core";
import { Panel } from "../shared/panels.tsx";
import { UserText } from "../shared/inline-text.tsx";
import classes from "./operator.module.css";

export interface BarRow {
  name: string;
  good: number;
  bad: number;
  /** Both numbers in words: the bar only illustrates them. */
  words: string;
}

/** A bar for each row; its hatched part is the failures. Nothing if there are no rows. */
export function BarList(props: {
  title: string;
  about: string;
  rows: readonly BarRow[];
  /** The value of a whole bar; absent: the largest row. */
  full?: number;
}) {
  const { title, about, rows, full } = props;
  if (rows.length === 0) return null;
  const most = Math.max(full ?? 0, 1, ...rows.map(({ good, bad }) => good + bad));
  return (
    <Panel title={title} about={about}>
      <Stack component="ul" gap="sm" aria-label={title}>
        {rows.map(({ name, good, bad, words }, index) => (
          <li key={`${index} ${name}`}>
            <span className={classes["words"]}>
              <UserText>{name}</UserText> <span className={classes["count"]}>{words}</span>
            </span>
            <span className={classes["bar"]} aria-hidden>
              <span className={classes["bad"]} style={{ width: `${(bad / most) * 100}%` }} />
              <span className={classes["good"]} style={{ width: `${(good / most) * 100}%` }} />
            </span>
          </li>
        ))}
      </Stack>
    </Panel>
  );
}
