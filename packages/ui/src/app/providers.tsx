// First, because it says which layer wins.
import "./base.css";
import "./library-styles.ts";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { createQueryClient } from "../api/query-cache.ts";
import type { Appearance } from "./appearance.ts";
import { themeOf } from "./theme.ts";

const queries = createQueryClient();

export function Providers(props: { appearance: Appearance; children: ReactNode }) {
  const { appearance, children } = props;
  return (
    <MantineProvider
      theme={themeOf(appearance)}
      defaultColorScheme="auto"
      {...(appearance.scheme === null ? {} : { forceColorScheme: appearance.scheme })}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <Notifications position="bottom-right" autoClose={6000} />
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </MantineProvider>
  );
}
