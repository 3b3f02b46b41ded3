import { createServer } from "node:http";
import { listenOnLoopback } from "@markethook/protocol/testing";

export interface FramingPage {
  origin: string;
  /** What the frame shows from now on. */
  show(url: string): void;
  close(): Promise<void>;
}

/** A page of a marketplace that shows another one in a frame, and notes the heights that it is told. */
export async function startFramingPage(): Promise<FramingPage> {
  let shown = "about:blank";
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><html lang="en"><title>Market</title>
<style>body { margin: 0 } iframe { border: 0; width: 100vw; height: 100vh }</style>
<script>
window.heights = [];
addEventListener("message", ({ data }) => data.type === "markethook:height" && heights.push(data.height));
</script>
<iframe title="Webhooks" src="${shown.replaceAll("&", "&amp;")}"></iframe>`);
  });
  const port = await listenOnLoopback(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    show(url) {
      shown = url;
    },
    close: async () =>
      await new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
