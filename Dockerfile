# Two stages: one builds with npm, the other holds Node, the compiled code and the production dependencies, and no shell.
# For a build that can be repeated, give both images by digest: --build-arg BUILD_IMAGE=…@sha256:… --build-arg RUN_IMAGE=…@sha256:…
ARG BUILD_IMAGE=node:24-bookworm-slim
ARG RUN_IMAGE=gcr.io/distroless/nodejs24-debian12:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# No package has a script that this needs; the one of our own builds what is not copied yet.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build && npm prune --omit=dev --ignore-scripts
# Types and source maps are half of what is left, and nothing reads them here.
RUN find node_modules dist -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM ${RUN_IMAGE}
ENV NODE_ENV=production
WORKDIR /muster
COPY LICENSE package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
USER 65532:65532
EXPOSE 8443 8080
# By its whole path, so that a mounted working folder can be another: docker run -v "$PWD:/work" -w /work muster check .
ENTRYPOINT ["/nodejs/bin/node", "/muster/dist/cli/main.js"]
# A Pod mounts a certificate; without one `serve` stops and says so.
CMD ["serve", "--tls-cert-file=/tls/tls.crt", "--tls-private-key-file=/tls/tls.key"]
