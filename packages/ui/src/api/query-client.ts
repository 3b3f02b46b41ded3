import { ApiError } from "@markethook/client";
import { QueryClient } from "@tanstack/react-query";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // The client has retried what is safe already.
        retry: false,
        // Otherwise a view would wait without a word; so it shows what the client says.
        networkMode: "always",
        refetchOnReconnect: "always",
        refetchOnWindowFocus: (query) => !(query.state.error instanceof ApiError),
      },
      mutations: { networkMode: "always" },
    },
  });
}
