import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { adoptVariables } from "./adopt-variables.ts";
import { Providers } from "./providers.tsx";

export function mount(page: ReactNode): void {
  const root = document.getElementById("root");
  if (root === null) throw new Error("The page has no root element.");
  adoptVariables();
  createRoot(root).render(
    <StrictMode>
      <Providers>{page}</Providers>
    </StrictMode>,
  );
}
