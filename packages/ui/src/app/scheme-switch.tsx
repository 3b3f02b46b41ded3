import { Button, useMantineColorScheme } from "@mantine/core";
import { wishesOfLink } from "../session/place.ts";
import { readAppearance } from "./appearance.ts";
import classes from "./scheme-switch.module.css";

const NEXT = { auto: "light", light: "dark", dark: "auto" } as const;
const NAMES = { auto: "System", light: "Light", dark: "Dark" } as const;

/** On a phone. */
const MARKS = { auto: "◐", light: "○", dark: "●" } as const;

/** Follows the system unless somebody chooses. Where the marketplace has chosen, there is nothing to choose. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  if (readAppearance(wishesOfLink()).scheme !== null) return null;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      c="dimmed"
      fw={400}
      px={4}
      aria-label={`Theme: ${NAMES[colorScheme].toLowerCase()}. Change to ${NAMES[NEXT[colorScheme]].toLowerCase()}`}
      onClick={() => setColorScheme(NEXT[colorScheme])}
    >
      <span className={classes["words"]}>Theme: {NAMES[colorScheme].toLowerCase()}</span>
      <span className={classes["mark"]}>{MARKS[colorScheme]}</span>
    </Button>
  );
}
