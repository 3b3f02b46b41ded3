import {
  createTheme,
  type CSSVariablesResolver,
  defaultCssVariablesResolver,
  type MantineColorsTuple,
} from "@mantine/core";

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

export const theme = createTheme({
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

/** Every pair of text and background here has a contrast of at least 4.5 in both schemes. */
const light = {
  "--mantine-color-body": "#fbfbfa",
  "--mantine-color-text": "#1c1e21",
  "--mantine-color-dimmed": "#5c6066",
  "--mantine-color-placeholder": "#6a6e74",
  "--mantine-color-anchor": "#2f4bc0",
  "--mantine-color-error": "#b3261e",
  "--mantine-color-default-border": "#d9d9d5",
  "--mh-surface": "#ffffff",
  "--mh-sunken": "#f4f4f2",
  "--mh-hover": "#f6f6f4",
  "--mh-line": "#e7e7e3",
  "--mh-good": "#1d7f4e",
  "--mh-good-soft": "#5fb488",
  "--mh-bad": "#b3261e",
  "--mh-bad-soft": "#d8574e",
  "--mh-busy": "#8f5c00",
  "--mh-quiet": "#7b7f85",
  "--mh-none": "#e4e4e0",
  "--mh-warn-back": "#fff7e3",
  "--mh-warn-line": "#ecd9a4",
  "--mh-bad-back": "#fdf1f0",
  "--mh-bad-line": "#efc8c4",
  "--mh-info-back": "#f1f4fe",
  "--mh-info-line": "#d3dcf8",
};

const dark: typeof light = {
  "--mantine-color-body": "#141517",
  "--mantine-color-text": "#e4e5e7",
  "--mantine-color-dimmed": "#a2a6ad",
  "--mantine-color-placeholder": "#9599a0",
  "--mantine-color-anchor": "#a3b4f7",
  "--mantine-color-error": "#ff9a91",
  "--mantine-color-default-border": "#3a3d42",
  "--mh-surface": "#1b1c1f",
  "--mh-sunken": "#17181a",
  "--mh-hover": "#212327",
  "--mh-line": "#2b2d31",
  "--mh-good": "#6cc796",
  "--mh-good-soft": "#3f8f66",
  "--mh-bad": "#ff9a91",
  "--mh-bad-soft": "#d4625a",
  "--mh-busy": "#e2b04c",
  "--mh-quiet": "#8c9096",
  "--mh-none": "#2e3135",
  "--mh-warn-back": "#29241a",
  "--mh-warn-line": "#4f4427",
  "--mh-bad-back": "#2b1d1c",
  "--mh-bad-line": "#55322f",
  "--mh-info-back": "#1c2030",
  "--mh-info-line": "#333c5e",
};

export const resolveVariables: CSSVariablesResolver = (theme) => {
  const base = defaultCssVariablesResolver(theme);
  return {
    variables: base.variables,
    light: { ...base.light, ...light },
    dark: { ...base.dark, ...dark, "--mantine-color-default": "#232529" },
  };
};
