import {
  createTheme,
  darken,
  type MantineThemeOverride,
  type CSSVariablesResolver,
  defaultCssVariablesResolver,
  lighten,
  type MantineColorsTuple,
} from "@mantine/core";
import { type Appearance, readableOn } from "./appearance.ts";
import { words } from "../words/first-words.ts";

const ink: MantineColorsTuple = [
  "#eff2fe",
  "#dde3fb",
  "#b9c5f6",
  "#94a7f1",
  "#748bea",
  "#5571df",
  "#4460d2",
  "#3450c4",
  "#2a42a6",
  "#213587",
];

/** From text to the darkest ground. */
const night: MantineColorsTuple = [
  "#e4e5e7",
  "#a2a6ad",
  "#8c9096",
  "#5c6066",
  "#3a3d42",
  "#2e3135",
  "#212327",
  "#141517",
  "#101113",
  "#0b0c0d",
];

const THEME = createTheme({
  primaryColor: "ink",
  primaryShade: { light: 7, dark: 6 },
  colors: { ink, dark: night },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily:
    'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace',
  headings: { fontWeight: "600" },
});

/** In light and in dark. Every pair of text and background here has a contrast of at least 4.5 in both schemes. */
const COLOURS = {
  "--mantine-color-body": ["#fbfbfa", "#141517"],
  "--mantine-color-text": ["#1c1e21", "#e4e5e7"],
  "--mantine-color-dimmed": ["#5c6066", "#a2a6ad"],
  "--mantine-color-placeholder": ["#6a6e74", "#9599a0"],
  "--mantine-color-anchor": ["#2f4bc0", "#a3b4f7"],
  "--mantine-color-error": ["#b3261e", "#ff9a91"],
  "--mantine-color-default-border": ["#d9d9d5", "#3a3d42"],
  "--mh-surface": ["#ffffff", "#1b1c1f"],
  "--mh-sunken": ["#f4f4f2", "#17181a"],
  "--mh-hover": ["#f6f6f4", "#212327"],
  // Borders of fields, with a contrast of at least 3 to their surroundings.
  "--mh-field-line": ["#85898e", "#74787e"],
  "--mh-line": ["#e7e7e3", "#2b2d31"],
  "--mh-good": ["#1d7f4e", "#6cc796"],
  "--mh-good-soft": ["#5fb488", "#3f8f66"],
  "--mh-bad": ["#b3261e", "#ff9a91"],
  "--mh-bad-soft": ["#d8574e", "#d4625a"],
  "--mh-busy": ["#8f5c00", "#e2b04c"],
  "--mh-quiet": ["#7b7f85", "#8c9096"],
  "--mh-warn-back": ["#fff7e3", "#29241a"],
  "--mh-warn-line": ["#ecd9a4", "#4f4427"],
  "--mh-bad-back": ["#fdf1f0", "#2b1d1c"],
  "--mh-bad-line": ["#efc8c4", "#55322f"],
  "--mh-info-back": ["#f1f4fe", "#1c2030"],
  "--mh-info-line": ["#d3dcf8", "#333c5e"],
} as const;

/** Our own theme, with the marketplace's changes. */
export function themeOf({ accent, radius, font }: Appearance): MantineThemeOverride {
  return {
    ...THEME,
    // Here and not above, because the language is chosen later than this file is loaded.
    components: {
      Notification: {
        defaultProps: { closeButtonProps: { "aria-label": words.shared.close } },
      },
    },
    ...(accent === null
      ? {}
      : // Light text on dark colours, and dark text on light ones.
        { colors: { ...THEME.colors, ink: shadesOf(accent) }, autoContrast: true, ...EVEN }),
    ...(radius === null ? {} : { radius: { md: `${radius}px`, sm: `${radius}px` } }),
    ...(font === null
      ? {}
      : { fontFamily: font, headings: { ...THEME.headings, fontFamily: font } }),
  };
}

/** Above this luminance black is easier to read, below it white. */
const EVEN = { luminanceThreshold: 0.179, primaryShade: { light: 7, dark: 7 } as const };

/** From nearly white to nearly black; the seventh is the colour itself. */
function shadesOf(accent: string): MantineColorsTuple {
  const light = [0.92, 0.84, 0.7, 0.55, 0.4, 0.25, 0.12].map((share) => lighten(accent, share));
  const dark = [0.12, 0.25].map((share) => darken(accent, share));
  return [...light, accent, ...dark] as unknown as MantineColorsTuple; // Ten.
}

/** The theme's variables in both schemes. */
export function resolverOf({ accent, radius }: Appearance): CSSVariablesResolver {
  return (theme) => {
    const base = defaultCssVariablesResolver(theme);
    const link = (ground: string, towards: typeof darken): Record<string, string> =>
      accent === null ? {} : { "--mantine-color-anchor": readableOn(accent, ground, towards) };
    return {
      variables: {
        ...base.variables,
        // Of notices and code, and of the boxes around whole parts of a page.
        "--mh-radius-small": `${radius ?? 8}px`,
        "--mh-radius-large": `${radius ?? 10}px`,
      },
      light: { ...base.light, ...coloursOf(0), ...link(COLOURS["--mh-sunken"][0], darken) },
      dark: {
        ...base.dark,
        ...coloursOf(1),
        "--mantine-color-default": "#232529",
        ...link(COLOURS["--mh-hover"][1], lighten),
      },
    };
  };
}

function coloursOf(scheme: 0 | 1): Record<string, string> {
  return Object.fromEntries(Object.entries(COLOURS).map(([name, pair]) => [name, pair[scheme]]));
}
