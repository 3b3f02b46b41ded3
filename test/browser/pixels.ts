import type { Page } from "playwright-core";
import { browser } from "./use-service.ts";

/** What a page looks like: the colour of each point, as red, green and blue. */
export interface Picture {
  width: number;
  height: number;
  at(x: number, y: number): readonly [red: number, green: number, blue: number];
}

/** A picture of what the window shows, decoded by the browser itself. */
export async function takePicture(page: Page): Promise<Picture> {
  const png = await page.screenshot({ animations: "disabled", caret: "hide" });
  const decoder = await browser.newPage();
  const { width, height, data } = await decoder.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("There is no canvas.");
    context.drawImage(bitmap, 0, 0);
    const image = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let text = "";
    for (const byte of image.data) text += String.fromCharCode(byte);
    return { width: image.width, height: image.height, data: btoa(text) };
  }, png.toString("base64"));
  await decoder.close();
  const bytes = Buffer.from(data, "base64");
  return {
    width,
    height,
    at(x, y) {
      const start = (y * width + x) * 4;
      return [bytes[start] ?? 0, bytes[start + 1] ?? 0, bytes[start + 2] ?? 0];
    },
  };
}
