# The image of the gateway. docs/operate/deploy.md explains how to build, check and run it.
# Pin the base image by digest as well: --build-arg BASE=node:24.21.0-bookworm-slim@sha256:…
ARG BASE=node:24.21.0-bookworm-slim

FROM ${BASE} AS build
WORKDIR /src
# The packages of production and of the build first, each checked against the hash in the lockfile: their layer is valid
# until the lockfile changes.
COPY package.json package-lock.json .npmrc ./
COPY deploy/image deploy/image
RUN --mount=type=cache,target=/root/.npm node deploy/image/keep-build-packages.js && npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm pack && mkdir /opt/koine \
  && tar -xzf koine-gateway-*.tgz -C /opt/koine --strip-components=1 \
  && cp package-lock.json .npmrc /opt/koine/

# The package with its production dependencies. npm leaves empty folders of the others.
RUN npm prune --omit=dev --no-audit --no-fund && rmdir --ignore-fail-on-non-empty node_modules/@* \
  && mv node_modules /opt/koine/
WORKDIR /opt/koine
RUN chmod 755 dist/bin/koine.js && mkdir .cache && chown 1000 .cache
# The compile cache saves an eighth of the CPU time of the first start. It is valid for one path, one version of Node
# and one user id: fill it as the user of the image. Its bytes differ from build to build: an image that
# others compare with their own build is built with COMPILE_CACHE=no.
ARG COMPILE_CACHE=yes
ENV NODE_COMPILE_CACHE=/opt/koine/.cache
USER 1000:1000
RUN if [ "$COMPILE_CACHE" = yes ]; then node /src/deploy/image/fill-compile-cache.js; fi && chmod -R a+rX .cache

FROM ${BASE}
COPY --from=build /opt/koine /opt/koine
COPY deploy/container/gateway.yaml /etc/koine/gateway.yaml
RUN ln -s /opt/koine/dist/bin/koine.js /usr/local/bin/koine \
  && mkdir -m 700 /var/lib/koine && chown 1000:1000 /var/lib/koine

ARG VERSION=unknown
ARG REVISION=unknown
ENV NODE_ENV=production NODE_COMPILE_CACHE=/opt/koine/.cache KOINE_COMMIT=${REVISION}
LABEL org.opencontainers.image.title="koine" \
  org.opencontainers.image.description="A self-hosted gateway in front of language models." \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"

# The user "node" of the base image, as a number: Kubernetes can verify that it is not root.
USER 1000:1000
WORKDIR /var/lib/koine
VOLUME /var/lib/koine
EXPOSE 8787 8788
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "require('node:http').get('http://127.0.0.1:8787/readyz', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["koine"]
CMD ["serve", "--config", "/etc/koine/gateway.yaml"]
