// First, because it says which layer wins.
import "./base.css";
import "./library-styles.ts";
import {
  convertCssVariables,
  DEFAULT_THEME,
  MantineProvider,
  mergeMantineTheme,
} from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "../api/query-cache.ts";
import { isFramed } from "../session/page-location.ts";
import { type Appearance, OWN_APPEARANCE } from "./appearance.ts";
import { surviveTranslation } from "./survive-translation.ts";
import { ignoreSecondClicks } from "./double-click.ts";
import { keepFocus } from "./keep-focus.ts";
import { resolverOf, themeOf } from "./theme.ts";

export function mount(page: ReactNode, appearance: Appearance = OWN_APPEARANCE): void {
  const root = document.getElementById("root");
  if (root === null) throw new Error("The page has no root element.");
  adoptVariables(appearance);
  keepFocus();
  ignoreSecondClicks();
  surviveTranslation();
  if (isFramed()) {
    document.documentElement.dataset["framed"] = "";
    tellHeight(root);
  }
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={themeOf(appearance)}
        defaultColorScheme="auto"
        {...(appearance.scheme === null ? {} : { forceColorScheme: appearance.scheme })}
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <Notifications position="bottom-right" autoClose={6000} />
        <QueryClientProvider client={createQueryClient()}>{page}</QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

/** The theme's variables as a constructed style sheet: a style element would be refused by the pages' policy. */
function adoptVariables(appearance: Appearance): void {
  const theme = mergeMantineTheme(DEFAULT_THEME, themeOf(appearance));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(convertCssVariables(resolverOf(appearance)(theme)));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/**
 * Tells the page around this one how high its content is, at once and after each change, so that it can give the frame
 * that height. The number is no secret, and the content policy decides which pages may stand around this one.
 */
function tellHeight(content: Element): void {
  let told = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    globalThis.parent.postMessage({ type: "markethook:height", height }, "*");
  }).observe(content);
}
