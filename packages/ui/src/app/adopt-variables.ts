import { convertCssVariables, DEFAULT_THEME, mergeMantineTheme } from "@mantine/core";
import type { Appearance } from "./appearance.ts";
import { resolverOf, themeOf } from "./theme.ts";

/** The theme's variables as a constructed style sheet: a style element would be refused by the pages' policy. */
export function adoptVariables(appearance: Appearance): void {
  const theme = mergeMantineTheme(DEFAULT_THEME, themeOf(appearance));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(convertCssVariables(resolverOf(appearance)(theme)));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
