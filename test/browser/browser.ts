import { type Browser, chromium } from "playwright-core";
import { chromiumPath } from "../../tools/on-demand/chromium.ts";

/** Not the package's own arguments: those switch off what these tests are about, such as the content policy. */
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"];

/** A real Chromium. `npm test` unpacks it once for all files. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env["MARKETHOOK_TEST_CHROMIUM"] ?? (await chromiumPath());
  return await chromium.launch({ executablePath, args: ARGUMENTS });
}
