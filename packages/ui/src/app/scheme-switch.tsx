import { Button, useMantineColorScheme } from "@mantine/core";
import { wishesOfLink } from "../session/place.ts";
import { readAppearance } from "./appearance.ts";
import classes from "./scheme-switch.module.css";
import { words } from "../words/first-words.ts";

const NEXT = { auto: "light", light: "dark", dark: "auto" } as const;

/** On a phone. */
const MARKS = { auto: "◐", light: "○", dark: "●" } as const;

/** Follows the system unless somebody chooses. Where the marketplace has chosen, there is nothing to choose. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const { schemes } = words.app;
  if (readAppearance(wishesOfLink()).scheme !== null) return null;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      c="dimmed"
      fw={400}
      px={4}
      aria-label={words.app.themeButton(schemes[colorScheme], schemes[NEXT[colorScheme]])}
      onClick={() => setColorScheme(NEXT[colorScheme])}
    >
      <span className={classes["words"]}>{words.app.theme(schemes[colorScheme])}</span>
      <span className={classes["mark"]}>{MARKS[colorScheme]}</span>
    </Button>
  );
}
