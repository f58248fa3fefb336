# Two stages: one builds with npm, the other holds Node, the compiled code and the production dependencies, and no shell.
ARG NODE=24

FROM node:${NODE}-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM gcr.io/distroless/nodejs${NODE}-debian12:nonroot
WORKDIR /muster
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
USER 65532:65532
EXPOSE 8443 8080
# The image's entry point is node itself. A Pod mounts a certificate; without one `serve` stops and says so.
CMD ["dist/cli/main.js", "serve", "--tls-cert-file=/tls/tls.crt", "--tls-private-key-file=/tls/tls.key"]
