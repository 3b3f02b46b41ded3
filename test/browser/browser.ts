import { type Browser, type BrowserServer, chromium } from "playwright-core";
import { type Chromium, unpackedChromium } from "../../tools/on-demand/chromium.ts";

/** Where a test run keeps the address of the Chromium that all its files share. */
const SHARED = "MARKETHOOK_TEST_CHROMIUM";

/** Not the package's own arguments: those switch off what these tests are about, such as the content policy. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--font-render-hinting=none",
  // A page of a test lives too short for optimised code to repay its making.
  "--js-flags=--no-opt --no-maglev",
];

/** A real Chromium: the run's shared one, or one for this file. Closing a shared one closes what was opened here. */
export async function startBrowser(): Promise<Browser> {
  const shared = process.env[SHARED];
  return shared === undefined
    ? await chromium.launch(launchOptions(await unpackedChromium()))
    : await chromium.connect(shared);
}

/** For a whole run of tests, which closes it also at a signal. */
export async function startSharedBrowser(unpacked: Chromium): Promise<BrowserServer> {
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  return await chromium.launchServer({ ...launchOptions(unpacked), ...signals });
}

function launchOptions({ executablePath, env }: Chromium) {
  return { executablePath, env: { ...process.env, ...env }, args: ARGUMENTS };
}
