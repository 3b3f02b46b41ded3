import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { isFramed } from "../session/is-framed.ts";
import { adoptVariables } from "./adopt-variables.ts";
import { type Appearance, OWN_APPEARANCE } from "./appearance.ts";
import { Providers } from "./providers.tsx";
import { tellHeight } from "./tell-height.ts";

export function mount(page: ReactNode, appearance: Appearance = OWN_APPEARANCE): void {
  const root = document.getElementById("root");
  if (root === null) throw new Error("The page has no root element.");
  adoptVariables(appearance);
  if (isFramed()) {
    document.documentElement.dataset["framed"] = "";
    tellHeight(root);
  }
  createRoot(root).render(
    <StrictMode>
      <Providers appearance={appearance}>{page}</Providers>
    </StrictMode>,
  );
}
