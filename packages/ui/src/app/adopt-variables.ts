import { convertCssVariables, DEFAULT_THEME, mergeMantineTheme } from "@mantine/core";
import { resolveVariables, theme } from "./theme.ts";

/** The theme's variables as a constructed style sheet: a style element would be refused by the pages' policy. */
export function adoptVariables(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(convertCssVariables(resolveVariables(mergeMantineTheme(DEFAULT_THEME, theme))));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
