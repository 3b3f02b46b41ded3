import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** Not the package's own arguments: those switch off what these tests are about, such as the content policy. */
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"];

/** A real Chromium. `npm test` unpacks it once for all files. */
export async function startBrowser(): Promise<Browser> {
  const executablePath =
    process.env["MARKETHOOK_TEST_CHROMIUM"] ?? (await chromium.executablePath());
  return await playwright.launch({ executablePath, args: ARGUMENTS });
}
