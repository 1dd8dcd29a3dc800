# Builds for the platform it runs on; the packages of the lock file bring Node and the native library for it.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY bin/node bin/node
COPY scripts/setup.sh scripts/setup.sh
RUN scripts/setup.sh npm
COPY scripts/build.ts scripts/build.ts
COPY src src
RUN bin/node scripts/build.ts \
  && cp node_modules/node-linux-*/bin/node dist/node \
  && cp node_modules/node-linux-*/LICENSE dist/NODE-LICENSE.txt
COPY LICENSE dist/LICENSE.txt

# glibc, because resolvers and the native library are measured and linked against it.
FROM debian:bookworm-slim
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="Pathmeter" \
  org.opencontainers.image.description="Measures every kind of network path between Kubernetes nodes, zones and on-prem" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.vendor="The Pathmeter authors" \
  org.opencontainers.image.version="$VERSION"
COPY --from=build /build/dist /opt/pathmeter
ENV NODE_ENV=production
# Numeric, so that Kubernetes can see that it is not root.
USER 65532:65532
# Web, then the responder: http, grpc, tcp, udp.
EXPOSE 9700 9701 9702 9703 9704/udp
# No shell and nothing to write: fit for a read-only root file system.
ENTRYPOINT ["/opt/pathmeter/node", "--optimize-for-size", "--no-maglev", "--no-opt", "/opt/pathmeter/pathmeter.mjs"]
CMD ["agent", "--config", "/etc/pathmeter/pathmeter.yaml"]
