# Two stages: one builds with npm, the other holds Node and the bundled code, and no shell and no packages.
# For a build that can be repeated, give both images by digest: --build-arg BUILD_IMAGE=…@sha256:… --build-arg RUN_IMAGE=…@sha256:…
ARG BUILD_IMAGE=node:24-bookworm-slim
ARG RUN_IMAGE=gcr.io/distroless/nodejs24-debian12:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# No package has a script that this needs; our own builds what is not copied yet.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build

FROM ${RUN_IMAGE}
ENV NODE_ENV=production
WORKDIR /muster
COPY LICENSE package.json ./
COPY --from=build /build/dist ./dist
USER 65532:65532
EXPOSE 8443 8080
# By its whole path, so that a mounted working folder can be another: docker run -v "$PWD:/work" -w /work muster check .
ENTRYPOINT ["/nodejs/bin/node", "/muster/dist/cli/main.js"]
# A Pod mounts a certificate; without one `serve` stops and says so.
CMD ["serve", "--tls-cert-file=/tls/tls.crt", "--tls-private-key-file=/tls/tls.key"]
