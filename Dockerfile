# Two stages: one builds with npm, the other holds Node and the bundled code, and no shell and no packages. The first runs on the machine
# that builds, whatever the platform of the image: what it makes is the same for each, and the second runs nothing.
# For a build that can be repeated, give both images by digest (--build-arg BUILD_IMAGE=…@sha256:… --build-arg RUN_IMAGE=…@sha256:…)
# and the time (--build-arg SOURCE_DATE_EPOCH=…, --output …,rewrite-timestamp=true). docs/releasing.md has the commands.
ARG BUILD_IMAGE=node:24-bookworm-slim
ARG RUN_IMAGE=gcr.io/distroless/nodejs24-debian12:nonroot

FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# No package has a script that this needs; our own builds what is not copied yet.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build

FROM ${RUN_IMAGE}
ARG VERSION=development
ARG REVISION=unknown
ARG SOURCE=https://github.com/kube-muster/kube-muster
LABEL org.opencontainers.image.title="kube-muster"
LABEL org.opencontainers.image.description="Admission webhook server and manifest checker for multi-cluster Kubernetes: cluster identity, fleet inventory, feature lifecycle."
LABEL org.opencontainers.image.licenses="Apache-2.0"
LABEL org.opencontainers.image.version="${VERSION}"
LABEL org.opencontainers.image.revision="${REVISION}"
LABEL org.opencontainers.image.source="${SOURCE}"
LABEL org.opencontainers.image.documentation="https://kube-muster.github.io/kube-muster/"
ENV NODE_ENV=production
WORKDIR /muster
COPY LICENSE package.json ./
COPY --from=build /build/dist ./dist
USER 65532:65532
EXPOSE 8443 8080
# By its whole path, so that a mounted working folder can be another: docker run -v "$PWD:/work" -w /work kube-muster check .
ENTRYPOINT ["/nodejs/bin/node", "/muster/dist/cli/main.js"]
# A Pod mounts a certificate; without one `serve` stops and says so.
CMD ["serve", "--tls-cert-file=/tls/tls.crt", "--tls-private-key-file=/tls/tls.key"]
