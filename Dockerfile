# docker build -t markethook .
# docker run --init --stop-timeout 40 -p 127.0.0.1:8080:8080 -v markethook:/data -e MARKETHOOK_BASE_URL=https://market.example markethook
# The base by its digest; a newer one: --build-arg NODE_IMAGE=node:26-slim@sha256:… (SECURITY.md says how to read it).
ARG NODE_IMAGE=node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
# The tarball that users install, pages inside, unpacked: one folder that needs nothing else.
RUN npm ci --ignore-scripts && npm run pack -- --unpacked

FROM ${NODE_IMAGE}
COPY --from=build /src/dist/package /app
RUN install -d -o node -g node -m 700 /data
# The user node, as a number: Kubernetes cannot check `runAsNonRoot` against a name.
USER 1000:1000
# Inside a container loopback is the container's own: 0.0.0.0 lets published ports in. Publish to where only your
# marketplace and your proxy can reach it, as above.
ENV NODE_ENV=production MARKETHOOK_HOST=0.0.0.0 MARKETHOOK_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.MARKETHOOK_PORT || 8080) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
