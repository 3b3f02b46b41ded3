import type { Page } from "playwright-core";

export interface HeardPage {
  /** What was said since the last call, in order. */
  said(): Promise<string[]>;
  /** The same, but waits until something is said. */
  next(): Promise<string[]>;
}

/**
 * What a screen reader says by itself about a page, from now on: the text of a live region whenever it changes, and what
 * is an alert when it comes. Not what it says when the focus moves.
 */
export async function hearPage(page: Page): Promise<HeardPage> {
  await page.evaluate(() => {
    const LIVE = "[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]";
    const said: string[] = [];
    const textOf = (region: Element): string => {
      const walker = document.createTreeWalker(region, NodeFilter.SHOW_TEXT);
      const texts: string[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node.parentElement?.closest("[aria-hidden=true]") == null)
          texts.push(node.nodeValue ?? "");
      }
      return texts
        .join(" ")
        .replaceAll(/\s+(?=\s|\.)/g, "")
        .trim();
    };
    new MutationObserver((changes) => {
      const regions = new Set<Element>();
      for (const { target, addedNodes } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        if (element?.closest("[aria-hidden=true]") != null) continue;
        for (let at = element?.closest(LIVE); at != null; at = at.parentElement?.closest(LIVE)) {
          regions.add(at);
        }
        for (const added of addedNodes) {
          if (!(added instanceof Element)) continue;
          const alerts = [...added.querySelectorAll("[role=alert]")];
          if (added.matches("[role=alert]")) alerts.push(added);
          for (const alert of alerts) regions.add(alert);
        }
      }
      said.push(...[...regions].map(textOf).filter((text) => text !== ""));
    }).observe(document, { subtree: true, childList: true, characterData: true });
    Object.assign(globalThis, { said });
  });
  const said = async (): Promise<string[]> =>
    await page.evaluate(() => {
      const { said: all } = globalThis as unknown as { said: string[] }; // Set above.
      return all.splice(0);
    });
  return {
    said,
    next: async () => {
      await page.waitForFunction(
        () => (globalThis as unknown as { said: string[] }).said.length > 0,
      );
      return await said();
    },
  };
}
